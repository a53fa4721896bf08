//! What can be typed.

use crate::commands::Command;
use clap::{Args, ColorChoice, Parser};

/// Who wins a Nim game on any set system, how, and why.
#[derive(Debug, Parser)]
#[command(
    name = "nimatron",
    version,
    max_term_width = 80,
    propagate_version = true,
    after_help = NOTATION,
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Clone, Debug, Args)]
pub(crate) struct Global {
    /// Print one JSON object instead of text
    #[arg(long, help_heading = "General options", global = true)]
    pub(crate) json: bool,
    /// When to use colours; NO_COLOR is respected
    #[arg(
        long,
        help_heading = "General options",
        global = true,
        value_name = "WHEN",
        default_value = "auto"
    )]
    pub(crate) color: ColorChoice,
    /// Show no progress
    #[arg(long, short, help_heading = "General options", global = true)]
    pub(crate) quiet: bool,
}

const NOTATION: &str = "\
Games:
  CN(7,3)  PN(5,3)  NN(6,3)  NN(9,4,3)  H      circular, path and necklace Nim
  Nim(4)  Moore(5,2)  Exact(4,2)  Slow(5,{1,2})
  Set(abc,bcd,cde)  Set(1 2 3, 2 3 4)          the sets of stacks themselves
  Matrix(3,2)  Graph(0-1,1-2,2-0)  Cube(vertex)
  misere CN(5,2)   PN(3,2) + Nim(1)            misere play, sums
  CN(6,3) each=2   any=2, each>=2, total=2     variants
Positions:
  3,5,9   (3,5,9)   3 5 9                      one height per stack
Formulas:
  sym(a = 0, b = e = c+d)                      sets of positions
All may be @FILE, or - for standard input.

Examples:
  nimatron solve \"CN(7,3)\" 3,5,4,2,1,6,3
  nimatron game \"Set(ad,abc,bcd)\"
  nimatron reduce \"CN(6,3)\" 0,0,3,1,2,4
  nimatron check \"CN(5,3)\" \"sym(a = 0, b = e = c+d)\" --max 12
  nimatron prove \"CN(5,3)\" \"sym(a = 0, b = e = c+d)\" --out cn53.json
  nimatron verify cn53.json
  nimatron cheatsheet H
  nimatron theorems \"CN(7,4)\" --check

Exit status: 0 answered; 1 answered, and the answer is no; 2 bad input;
3 not decided within the limits; 4 file error; 130 interrupted.";
