//! The types that hidden items of public traits name. Nobody writes these names, and they may change at any time.

pub use crate::front::adapt::{AtSteps, BinSteps, EachBin, OfExtreme};
pub use crate::front::chosen::ChosenSteps;
pub use crate::front::emit::{EachEmits, EmitBesideSteps, EmitSteps, EmittingSteps, KeepSteps};
pub use crate::kernel::{
    Again, Block, Blocks, ChosenMember, Combine, Doubtful, EmitsAgain, EmitsEach, EmittedAgain,
    Ending, EvenRows, Filter, Finished, Finishes, Fold, Keeps, Kept, Mend, MendedMember,
    OpEmission, Others, ResultElements, Select, StageOps, Stages, Unfinished,
};
pub use crate::machine::code::{Simple, Work};
pub use crate::machine::level::Available;
pub use crate::machine::team::Team;
pub use crate::values::chooser::{AndCount, Chooser, Counted, NoNan, Uncounted, WhereTrue};
