//! `nimatron learn`

use crate::conversation::Conversation;
use crate::host::quick;
use crate::output::Output;
use nimatron::Outcome;
use nimatron::play::{Lesson, LessonAnswer, LessonError, LessonPage, TaskKind, lessons, parse_take};
use nimatron::render::board;
use nimatron_service::asks::play::{Lessons, Taught};
use nimatron_service::{Failure, Status};

/// Lessons: how these games are won
///
/// Without a name the lessons are listed. On each page there is something to find out: P or N, a move such as
/// "a2 b1", or a height. skip goes on, quit ends. The exit status is 0 if all tasks were done.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  nimatron learn
  nimatron learn nim
  nimatron learn circle-of-five --json")]
pub(crate) struct Args {
    /// The name of the lesson
    #[arg(value_name = "LESSON")]
    lesson: Option<String>,
}

impl Args {
    pub(crate) fn run(self, output: &Output) -> Result<Status, Failure> {
        let asked = Lessons { lesson: self.lesson, page: None, answer: None };
        let found = asked.find(&quick(output))?;
        match &found {
            Taught::One(lesson) if !output.is_json() => teach(lesson, &Conversation::new(output)),
            _ => output.found(&found, |palette| {
                let line = |lesson: &Lesson| {
                    let text = format!("  {:<19}{}", lesson.id, lesson.about);
                    palette.wrap(&text, "                     ") + "\n"
                };
                let list: String = lessons().iter().map(line).collect();
                format!("Lessons\n{list}\nnimatron learn NAME begins.\n")
            }),
        }
    }
}

fn teach(lesson: &Lesson, talk: &Conversation<'_>) -> Result<Status, Failure> {
    talk.tell(&format!("{}. {}", lesson.title, lesson.about))?;
    let mut done = 0;
    for (number, page) in lesson.pages.iter().enumerate() {
        let (game, position) = page.board();
        talk.tell("")?;
        talk.say(|palette| {
            let text = format!("{}/{}  {}", number + 1, lesson.pages.len(), page.text);
            let text = palette.wrap(&text, "     ");
            format!("{text}\n\n{game} at {position}\n{}\n", board(&position, palette))
        })?;
        talk.tell(&page.task.question)?;
        loop {
            let Some(line) = talk.line(prompt(page))? else {
                talk.tell("The lesson is not finished.")?;
                return Ok(Status::Negative);
            };
            match line.to_ascii_lowercase().as_str() {
                "" => continue,
                "quit" | "exit" | "q" => return Ok(Status::Negative),
                "skip" => break,
                _ => {}
            }
            let Some(answer) = read(&line, page, talk)? else { continue };
            match lesson.judge(number, &answer, &nimatron::Limits::default()) {
                Ok(judged) if judged.right => {
                    talk.tell(&format!("Right. {}", judged.text))?;
                    done += 1;
                    break;
                }
                Ok(judged) => talk.tell(&format!("Not quite. {}", judged.text))?,
                Err(LessonError::Illegal(error)) => {
                    talk.tell(&format!("That is no move: {error}."))?;
                }
                Err(error) => talk.tell(&format!("{error}."))?,
            }
        }
    }
    talk.tell("")?;
    talk.tell(&format!("That was {}: {done} of {} tasks done.", lesson.title, lesson.pages.len()))?;
    Ok(if done == lesson.pages.len() { Status::Answered } else { Status::Negative })
}

fn prompt(page: &LessonPage) -> &'static str {
    match page.task.kind {
        TaskKind::Outcome => "P or N",
        TaskKind::Move => "your move",
        _ => "the height",
    }
}

/// The answer that a line holds; what is wrong with it is told.
fn read(
    line: &str,
    page: &LessonPage,
    talk: &Conversation<'_>,
) -> Result<Option<LessonAnswer>, Failure> {
    match page.task.kind {
        TaskKind::Outcome => match line {
            "P" | "p" => return Ok(Some(LessonAnswer::Outcome(Outcome::P))),
            "N" | "n" => return Ok(Some(LessonAnswer::Outcome(Outcome::N))),
            _ => talk.tell("Write P if the player to move loses, N if the player to move wins.")?,
        },
        TaskKind::Move => match parse_take(line, &page.board().0) {
            Ok(take) => return Ok(Some(LessonAnswer::Move(take))),
            Err(error) => talk.tell(&format!("{error}. skip and quit are words, too."))?,
        },
        _ => match line.parse() {
            Ok(height) => return Ok(Some(LessonAnswer::Height(height))),
            Err(_) => talk.tell("Write a number.")?,
        },
    }
    Ok(None)
}
