//! What is known about all small games.

use super::{Found, request};
use crate::failure::Failure;
use crate::host::Host;
use crate::read;
use crate::status::Status;
use nimatron::atlas::{Atlas as Shipped, Entry, Flaw, Status as Standing};
use nimatron::atlas::{MAX_CIRCULAR, MAX_SLOW};
use nimatron::crates::game::Watch;
use nimatron::crates::game::symmetry::MAX_LISTED;
use nimatron::render::{AtlasAnswer, circular_entries, json};
use nimatron::{Game, Limits};

request! {
    /// What is known about all small games.
    pub struct Atlas {
        /// List the games on this many stacks, 1 to 5.
        pub stacks: Option<usize>,
        /// List the circular games.
        #[serde(default)]
        pub circular: bool,
        /// List the slow games.
        #[serde(default)]
        pub slow: bool,
        /// Tell about this game.
        pub game: Option<String>,
        /// List open games only.
        #[serde(default)]
        pub open: bool,
        /// Check all claims: theorems, certificates, obstructions.
        #[serde(default)]
        pub verify: bool,
        /// Put the certificate of the game into the answer, as `certificate_text`.
        #[serde(default)]
        pub certificate: bool,
    }
}

/// Some games of the atlas.
#[derive(Debug)]
pub struct Listed {
    /// The game asked about.
    pub asked: Option<Game>,
    /// The entries.
    pub entries: Vec<&'static Entry>,
    /// What an audit found.
    pub flaws: Option<Vec<(&'static Entry, Flaw)>>,
    /// Where the certificate was written to.
    pub written: Option<String>,
    /// The certificate itself, if it is to be in the answer.
    pub text: Option<String>,
}

impl Atlas {
    /// The games asked for.
    pub fn find(&self, host: &Host) -> Result<Listed, Failure> {
        let one_game = self.game.is_some();
        let several = [self.stacks.is_some(), self.circular, self.slow, one_game];
        if several.iter().filter(|&&asked| asked).count() > 1 {
            let message = "stacks, circular, slow and game choose games: name one of them";
            return Err(Failure::bad("conflict", message.to_string()));
        }
        if self.open && one_game {
            return Err(Failure::useless("open", "it is about one game"));
        }
        if self.certificate && !one_game {
            return Err(Failure::useless("certificate", "it needs a game"));
        }
        if self.stacks.is_some_and(|n| !(1..=MAX_LISTED).contains(&n)) {
            let message = format!("the atlas has games on 1 to {MAX_LISTED} stacks");
            return Err(Failure::bad("stacks", message));
        }
        let mut listed = self.list()?;
        let atlas = Shipped::shipped();
        if self.certificate {
            listed.text = Some(String::from_utf8_lossy(&listed.certificate()?).into_owned());
        }
        if self.verify {
            let limits = host.limits((None, None), (None, Limits::default().memory));
            let watch = host.metered(&limits);
            let mut flaws = Vec::new();
            for (done, &entry) in listed.entries.iter().enumerate() {
                watch.progress(done as u128, listed.entries.len() as u128);
                let audit = atlas.audit(entry, &limits);
                watch.check(0).map_err(Failure::stopped)?;
                flaws.extend(audit.err().map(|flaw| (entry, flaw)));
            }
            listed.flaws = Some(flaws);
        }
        Ok(listed)
    }

    fn list(&self) -> Result<Listed, Failure> {
        let atlas = Shipped::shipped();
        let asked = self.game.as_deref().map(read::game).transpose()?;
        let mut entries: Vec<&Entry> = match (&asked, self.stacks) {
            (Some(game), _) => vec![entry(atlas, game)?],
            (None, Some(n)) => atlas.systems(n).collect(),
            (None, None) if self.circular => circular_entries(atlas),
            (None, None) if self.slow => atlas.entries().iter().filter(|e| e.is_slow()).collect(),
            (None, None) => atlas.entries().iter().collect(),
        };
        entries.retain(|entry| !self.open || is_open(entry));
        Ok(Listed { asked, entries, flaws: None, written: None, text: None })
    }
}

impl Listed {
    /// The certificate of the game asked about.
    pub fn certificate(&self) -> Result<Vec<u8>, Failure> {
        let [entry] = &self.entries[..] else {
            return Err(Failure::useless("certificate", "it needs a game"));
        };
        let text = Shipped::shipped().certificate_text(entry);
        match text.map_err(|error| Failure::bad("atlas", error.to_string()))? {
            Some(text) => Ok(text),
            None => {
                let message = format!("the atlas has no certificate of {}", entry.game);
                Err(Failure::open("no-certificate", message))
            }
        }
    }
}

impl Found for Listed {
    fn status(&self) -> Status {
        match &self.flaws {
            Some(flaws) if !flaws.is_empty() => Status::Negative,
            None if self.asked.is_some() && self.entries.iter().all(|e| is_open(e)) => {
                Status::Undecided
            }
            _ => Status::Answered,
        }
    }

    fn json(&self) -> String {
        let (flaws, asked) = (self.flaws.as_deref(), self.asked.as_ref());
        let atlas = Shipped::shipped();
        let answer = AtlasAnswer::new(atlas, &self.entries, flaws, self.written.clone(), asked);
        json::to_string(&answer.with_certificate(self.text.clone()))
    }
}

fn is_open(entry: &Entry) -> bool {
    matches!(Shipped::shipped().status(entry), Standing::Open)
}

/// The entry about a game, as it is or with its stacks renamed.
fn entry(atlas: &'static Shipped, game: &Game) -> Result<&'static Entry, Failure> {
    let entry = game.single().and_then(|rule| atlas.find(rule, game.convention()));
    entry.ok_or_else(|| {
        let message = format!(
            "{game} is not in the atlas, which holds SetNim on up to {MAX_LISTED} stacks, circular games on \
             up to {MAX_CIRCULAR} and slow games on up to {MAX_SLOW}; \"nimatron game\" tells what is known about \
             others"
        );
        Failure::open("not-in-atlas", message)
    })
}
