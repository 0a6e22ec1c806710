//! Limits as they are written: each one may be left out.

use serde::{Deserialize, Serialize};

#[cfg(doc)]
use super::Limits;
use crate::{Size, Span};

/// Limits to put in the place of others; those that are absent stay as they are.
///
/// In a file the names have dashes (`wall-clock`), sizes and times are written as
/// [`Size`] and [`Span`] are, and an unknown name is an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct LimitsPatch {
    /// See [`Limits::fuel`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fuel: Option<u64>,
    /// See [`Limits::wall_clock`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_clock: Option<Span>,
    /// See [`Limits::grace`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grace: Option<Span>,
    /// See [`Limits::memory`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Size>,
    /// See [`Limits::output`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Size>,
    /// See [`Limits::partial`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<Size>,
    /// See [`Limits::emitted`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emitted: Option<u32>,
    /// See [`Limits::log`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<Size>,
    /// See [`Limits::host_call_bytes`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_call_bytes: Option<Size>,
    /// See [`Limits::host_calls`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_calls: Option<u64>,
    /// See [`Limits::resources`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<u32>,
    /// See [`Limits::instances`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instances: Option<u32>,
    /// See [`Limits::memories`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memories: Option<u32>,
    /// See [`Limits::tables`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<u32>,
    /// See [`Limits::table_elements`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_elements: Option<u64>,
    /// See [`Limits::random_bytes`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random_bytes: Option<Size>,
    /// See [`Limits::http_fields`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_fields: Option<Size>,
    /// See [`Limits::http_field_count`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_field_count: Option<u32>,
    /// See [`Limits::http_requests`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_requests: Option<u32>,
    /// See [`Limits::http_concurrent`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_concurrent: Option<u32>,
    /// See [`Limits::http_request_bytes`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_request_bytes: Option<Size>,
    /// See [`Limits::http_response_bytes`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_response_bytes: Option<Size>,
    /// See [`Limits::http_connect`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_connect: Option<Span>,
    /// See [`Limits::http_first_byte`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_first_byte: Option<Span>,
    /// See [`Limits::http_between_bytes`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_between_bytes: Option<Span>,
    /// See [`Limits::call_depth`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_depth: Option<u32>,
    /// See [`Limits::nested_calls`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nested_calls: Option<u32>,
    /// See [`Limits::written_bytes`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written_bytes: Option<Size>,
    /// See [`Limits::created_files`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_files: Option<u32>,
    /// See [`Limits::file_size`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_size: Option<Size>,
    /// See [`Limits::open_files`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_files: Option<u32>,
    /// See [`Limits::storage_keys`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_keys: Option<u64>,
    /// See [`Limits::storage_bytes`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_bytes: Option<Size>,
    /// See [`Limits::storage_value`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_value: Option<Size>,
    /// See [`Limits::storage_key`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_key: Option<Size>,
}

impl LimitsPatch {
    /// This patch, and what it leaves open from `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            fuel: self.fuel.or(other.fuel),
            wall_clock: self.wall_clock.or(other.wall_clock),
            grace: self.grace.or(other.grace),
            memory: self.memory.or(other.memory),
            output: self.output.or(other.output),
            partial: self.partial.or(other.partial),
            emitted: self.emitted.or(other.emitted),
            log: self.log.or(other.log),
            host_call_bytes: self.host_call_bytes.or(other.host_call_bytes),
            host_calls: self.host_calls.or(other.host_calls),
            resources: self.resources.or(other.resources),
            instances: self.instances.or(other.instances),
            memories: self.memories.or(other.memories),
            tables: self.tables.or(other.tables),
            table_elements: self.table_elements.or(other.table_elements),
            random_bytes: self.random_bytes.or(other.random_bytes),
            http_fields: self.http_fields.or(other.http_fields),
            http_field_count: self.http_field_count.or(other.http_field_count),
            http_requests: self.http_requests.or(other.http_requests),
            http_concurrent: self.http_concurrent.or(other.http_concurrent),
            http_request_bytes: self.http_request_bytes.or(other.http_request_bytes),
            http_response_bytes: self.http_response_bytes.or(other.http_response_bytes),
            http_connect: self.http_connect.or(other.http_connect),
            http_first_byte: self.http_first_byte.or(other.http_first_byte),
            http_between_bytes: self.http_between_bytes.or(other.http_between_bytes),
            call_depth: self.call_depth.or(other.call_depth),
            nested_calls: self.nested_calls.or(other.nested_calls),
            written_bytes: self.written_bytes.or(other.written_bytes),
            created_files: self.created_files.or(other.created_files),
            file_size: self.file_size.or(other.file_size),
            open_files: self.open_files.or(other.open_files),
            storage_keys: self.storage_keys.or(other.storage_keys),
            storage_bytes: self.storage_bytes.or(other.storage_bytes),
            storage_value: self.storage_value.or(other.storage_value),
            storage_key: self.storage_key.or(other.storage_key),
        }
    }
}
