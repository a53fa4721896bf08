//! Words that a question may contain, in one list each: what JSON calls them, what they mean, and so what the
//! command line offers.

/// A choice among a few words.
pub trait Word: Copy + Send + Sync + 'static {
    /// All of them: the choice, its word, what it means.
    const ALL: &'static [(Self, &'static str, &'static str)];
}

/// Declares a [`Word`]: each choice has a line about it, and the word that JSON and the command line use.
macro_rules! word {
    (
        $(#[$about:meta])*
        pub enum $name:ident {
            $(#[doc = $says:literal] $(#[$more:meta])* $one:ident = $word:literal),* $(,)?
        }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        $(#[$about])*
        pub enum $name {
            $(#[doc = $says] $(#[$more])* #[serde(rename = $word)] $one),*
        }

        impl $crate::word::Word for $name {
            const ALL: &'static [(Self, &'static str, &'static str)] =
                &[$(($name::$one, $word, $says)),*];
        }
    };
}
pub(crate) use word;
