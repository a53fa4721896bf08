//! `nimatron play`

use crate::certificate::LibraryArgs;
use crate::conversation::{Conversation, any_seed};
use crate::input::{GameText, OptionalPositionText, word};
use crate::limits::LimitArgs;
use crate::output::Output;
use nimatron::play::{MAX_HINT, Match, Opponent, Player, parse_take};
use nimatron::render::{
    Seat, board, hint, manner, moves, review, rules, short_take, verdict,
};
use nimatron::{Limits, Options, Page, Prepared, Take};
use nimatron_service::asks::play::Opponent as Level;
use nimatron_service::{Failure, Status, read};

/// Play a game against the machine
///
/// Moves are typed as "a2 b1", two tokens from a and one from b, or as "take (2,1,0)". Other words: hint (each
/// time a little more), why, moves, undo, redo, best (make the best move for me), any (make any move for me),
/// board, review, help, quit. It works from a pipe as well.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron play \"CN(5,2)\"
  nimatron play \"CN(7,3)\" 3,5,4,2,1,6,3 --opponent erring --rate 30
  nimatron play \"Nim(3)\" 3,4,5 --second
  printf 'a2\\nquit\\n' | nimatron play \"Nim(3)\" 3,4,5 --seed 1")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameText,
    #[command(flatten)]
    position: OptionalPositionText,
    /// How the machine plays
    #[arg(long, default_value = "perfect", value_parser = word::<Level>())]
    opponent: Level,
    /// How many times out of a hundred an erring opponent errs; 25 if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=100))]
    rate: Option<u8>,
    /// The machine begins
    #[arg(long)]
    second: bool,
    /// The dice: the same seed gives the same play
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        output.refuse_json("a match")?;
        let opponent = match (self.opponent, self.rate) {
            (Level::Erring, rate) => Opponent::Erring(rate.unwrap_or(25)),
            (_, Some(_)) => {
                return Err(Failure::useless("--rate", "only an erring opponent errs"));
            }
            (Level::Perfect, None) => Opponent::Perfect,
            (Level::Random, None) => Opponent::Random,
        };
        let game = read::game(&self.game.text()?)?;
        let start = self.position.text()?.map(|text| read::position(&text, &game)).transpose()?;
        let seed = self.seed.unwrap_or_else(any_seed);
        let (time, memory) = self.limits.asked();
        let limits = Limits::default();
        let limits = Limits::default()
            .time(time.map(|t| t.0).or(limits.time))
            .memory(memory.map(|m| m.0).or(limits.memory));
        let prepared = Prepared::knowing(game, self.library.knowledge());
        let start = start.unwrap_or_else(|| prepared.opening(seed, &limits));
        let played = Match::new(&prepared, start);
        let played = played.map_err(|error| Failure::bad("wrong-count", error.to_string()))?;
        let seat = if self.second { Seat::Second } else { Seat::First };
        let mut table = Table {
            talk: Conversation::new(output),
            prepared,
            played,
            seat,
            limits,
            machine: Player::new(opponent, seed),
            dice: Player::new(Opponent::Random, seed.wrapping_add(1)),
            hints: 0,
        };
        table.run()
    }
}

/// You, the machine, and the board.
struct Table<'a> {
    talk: Conversation<'a>,
    prepared: Prepared,
    played: Match,
    seat: Seat,
    limits: Limits,
    machine: Player,
    dice: Player,
    /// Hints given at this position.
    hints: u8,
}

/// What follows a line.
enum Next {
    /// Another line.
    Line,
    /// The other's turn.
    Turn,
    /// The end.
    End,
}

impl Table<'_> {
    fn run(&mut self) -> Result<Status, Failure> {
        let start = self.played.start().clone();
        self.talk.say(|palette| {
            let title = palette.wrap(&format!("{} at {start}", self.prepared.game()), "  ");
            format!("{title}\n{}\n", rules(self.prepared.game(), palette))
        })?;
        loop {
            if let Some(winner) = self.played.winner() {
                return self.end(winner);
            }
            let yours = self.played.turn() == usize::from(self.seat == Seat::Second);
            if !yours {
                self.answer()?;
                continue;
            }
            self.hints = 0;
            self.talk.say(|palette| board(self.played.position(), palette))?;
            loop {
                let Some(line) = self.talk.line("your move")? else {
                    self.talk.tell("The match is not finished.")?;
                    return Ok(Status::Answered);
                };
                match self.heed(&line)? {
                    Next::Line => {}
                    Next::Turn => break,
                    Next::End => return Ok(Status::Answered),
                }
            }
        }
    }

    /// The machine's move.
    fn answer(&mut self) -> Result<(), Failure> {
        let choice = self.machine.choose(&self.prepared, &self.played, &self.limits);
        let choice = choice.map_err(|error| Failure::bad("wrong-count", error.to_string()))?;
        let Some(choice) = choice else { return Ok(()) };
        let made = self.played.play(choice.take.clone());
        made.map_err(|error| Failure::bad("illegal-move", error.to_string()))?;
        self.talk.tell(&format!(
            "The machine takes {}, leaving {}. {}",
            short_take(&choice.take),
            choice.to,
            manner(choice.manner)
        ))
    }

    /// Does what a line says.
    fn heed(&mut self, line: &str) -> Result<Next, Failure> {
        let position = self.played.position().clone();
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "quit" | "exit" | "q" => return Ok(Next::End),
            "help" | "?" => self.talk.tell(WORDS)?,
            "board" => self.talk.say(|palette| board(&position, palette))?,
            "hint" => {
                self.hints = (self.hints + 1).min(MAX_HINT);
                let found = self.prepared.hint(&position, self.hints, &self.limits);
                let found = found.map_err(|e| Failure::bad("wrong-count", e.to_string()))?;
                self.talk.tell(&hint(&found, position.len()))?;
            }
            "why" => {
                let options = Options::default().limits(self.limits.clone());
                let found = self.prepared.ask(&position, &options);
                let found = found.map_err(|e| Failure::bad("wrong-count", e.to_string()))?;
                self.talk.say(|palette| verdict(&found, palette))?;
            }
            "moves" => {
                let page = Page { skip: 0, limit: 20 };
                let found = self.prepared.moves(&position, page, &self.limits);
                let found = found.map_err(|e| Failure::bad("wrong-count", e.to_string()))?;
                self.talk.say(|palette| moves(&found, palette))?;
            }
            "undo" => return self.back(),
            "redo" => {
                if self.played.redo() {
                    self.played.redo();
                    return Ok(Next::Turn);
                }
                self.talk.tell("There is nothing to make again.")?;
            }
            "review" => self.review()?,
            "best" => return self.chosen(Player::new(Opponent::Perfect, 0)),
            "any" => return self.chosen(self.dice),
            _ => match parse_take(line, self.prepared.game()) {
                Ok(take) => return self.make(take),
                Err(error) => self.talk.tell(&format!("{error}. `help` lists the words."))?,
            },
        }
        Ok(Next::Line)
    }

    /// A move that is chosen for you.
    fn chosen(&mut self, by: Player) -> Result<Next, Failure> {
        let choice = by.choose(&self.prepared, &self.played, &self.limits);
        let choice = choice.map_err(|error| Failure::bad("wrong-count", error.to_string()))?;
        match choice {
            Some(choice) => {
                self.talk.tell(&format!("You take {}.", short_take(&choice.take)))?;
                self.make(choice.take)
            }
            None => Ok(Next::Turn),
        }
    }

    fn make(&mut self, take: Take) -> Result<Next, Failure> {
        match self.played.play(take) {
            Ok(()) => Ok(Next::Turn),
            Err(nimatron::play::MatchError::Illegal { error, .. }) => {
                self.talk.tell(&format!("That is no move: {error}."))?;
                Ok(Next::Line)
            }
            Err(error) => Err(Failure::bad("illegal-move", error.to_string())),
        }
    }

    /// Takes back your last move and the machine's answer.
    fn back(&mut self) -> Result<Next, Failure> {
        // If the machine began, its first move stays.
        let least = if self.seat == Seat::Second { 3 } else { 2 };
        if self.played.takes().len() < least {
            self.talk.tell("There is nothing to take back.")?;
            return Ok(Next::Line);
        }
        self.played.undo();
        self.played.undo();
        Ok(Next::Turn)
    }

    fn review(&self) -> Result<(), Failure> {
        let found = self.prepared.review(&self.played, &self.limits);
        let found = found.map_err(|error| Failure::bad("wrong-count", error.to_string()))?;
        self.talk.say(|palette| review(&found, self.seat, palette))
    }

    fn end(&self, winner: usize) -> Result<Status, Failure> {
        let you = winner == usize::from(self.seat == Seat::Second);
        self.talk.tell(if you { "You win." } else { "The machine wins." })?;
        self.talk.tell("")?;
        self.review()?;
        Ok(Status::Answered)
    }
}

const WORDS: &str = "A move: a2 b1 takes two tokens from a and one from b; take (2,1,0) says the same with a \
number for each stack. hint: a hint, each time a little more. why: who wins and why. moves: the moves, best \
first. undo, redo: take your last move back, make it again. best: make the best move for me. any: make any \
move for me. board: draw the board. review: what was right and wrong so far. quit: end.";
