//! A plugin's file changes while the host runs.
