//! Charts for AI agents: numbers in, a clean line, bar, scatter or histogram
//! chart out, as PNG and SVG.
//!
//! # Layout
//! - [`request`]: what a chart is asked for with
//! - `data`, `bins`, `limits`: the numbers, checked and bounded
//! - `plot`, `scale`, `number`: axes and how they are labelled
//! - `layout`, `x_axis`, `legend`, `font`: where things go
//! - `mark`: what is drawn, one module for each kind
//! - `scene`, `palette`, `thin`: shapes, how they look, and how many
//! - `svg`, `raster`: the two file formats
//! - [`chart`], `summary`: the whole way
//! - [`tool`]: the tool as the model sees it; `failure`: how it fails

mod bins;
pub mod chart;
mod data;
mod failure;
mod font;
mod layout;
mod legend;
mod limits;
mod mark;
mod number;
mod palette;
mod plot;
mod raster;
pub mod request;
mod scale;
mod scene;
mod summary;
mod svg;
mod thin;
pub mod tool;
mod x_axis;

toolhost_sdk::plugin!(tool::chart);
