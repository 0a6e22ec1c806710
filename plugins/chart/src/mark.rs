//! What is drawn inside the frame, one module for each kind of chart.

pub(crate) mod bar;
pub(crate) mod histogram;
pub(crate) mod line;
pub(crate) mod scatter;
