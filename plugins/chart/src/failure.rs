//! How drawing fails: a name for programs and a sentence that tells the model
//! what to do next.

use toolhost_sdk::ToolError;

/// The data cannot be drawn as asked.
pub(crate) fn series(message: impl Into<String>) -> ToolError {
    ToolError::new("InvalidSeriesError", message)
}

/// The settings contradict each other or are out of bounds.
pub(crate) fn settings(message: impl Into<String>) -> ToolError {
    ToolError::new("InvalidSettingsError", message)
}

/// The chart could not be written.
pub(crate) fn output(message: impl Into<String>) -> ToolError {
    ToolError::new("ChartOutputError", message)
}
