//! The interface in its two versions, which differ in cursors, in numbers, and in
//! that only the newer one can compare and swap.

use wasmtime::component::{HasSelf, Linker, Resource};

use super::{Cas, KeyValueError};
use crate::bindings::{keyvalue_draft as draft, keyvalue_draft2 as draft2};
use crate::state::CallState;
use crate::storage::Bucket;

pub(crate) fn add_to_linker(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    draft::store::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)?;
    draft::atomics::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)?;
    draft::batch::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)?;
    draft2::store::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)?;
    draft2::atomics::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)?;
    draft2::batch::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)
}

/// Everything in which the versions are the same.
macro_rules! same_in {
    ($version:ident, $cursor:ty) => {
        impl From<KeyValueError> for $version::store::Error {
            fn from(error: KeyValueError) -> Self {
                match error {
                    KeyValueError::Denied => Self::AccessDenied,
                    KeyValueError::Other(message) => Self::Other(message),
                }
            }
        }

        impl $version::store::Host for CallState {
            async fn open(
                &mut self,
                name: String,
            ) -> wasmtime::Result<Result<Resource<Bucket>, $version::store::Error>> {
                Ok(self.open_bucket(name)?.map_err(Into::into))
            }
        }

        impl $version::store::HostBucket for CallState {
            async fn get(
                &mut self,
                bucket: Resource<Bucket>,
                key: String,
            ) -> wasmtime::Result<Result<Option<Vec<u8>>, $version::store::Error>> {
                Ok(self.get_value(&bucket, key).await?.map_err(Into::into))
            }

            async fn set(
                &mut self,
                bucket: Resource<Bucket>,
                key: String,
                value: Vec<u8>,
            ) -> wasmtime::Result<Result<(), $version::store::Error>> {
                let ended = self.set_value(&bucket, key, value).await?;
                Ok(ended.map_err(Into::into))
            }

            async fn delete(
                &mut self,
                bucket: Resource<Bucket>,
                key: String,
            ) -> wasmtime::Result<Result<(), $version::store::Error>> {
                Ok(self.delete_key(&bucket, key).await?.map_err(Into::into))
            }

            async fn exists(
                &mut self,
                bucket: Resource<Bucket>,
                key: String,
            ) -> wasmtime::Result<Result<bool, $version::store::Error>> {
                Ok(self.has_key(&bucket, key).await?.map_err(Into::into))
            }

            async fn list_keys(
                &mut self,
                bucket: Resource<Bucket>,
                cursor: Option<$cursor>,
            ) -> wasmtime::Result<Result<$version::store::KeyResponse, $version::store::Error>>
            {
                let after = match cursor.map(|cursor| cursor.to_string().parse()) {
                    None => 0,
                    Some(Ok(after)) => after,
                    Some(Err(_)) => return Ok(Err(not_a_cursor().into())),
                };
                let page = self.list_keys(&bucket, after).await?;
                Ok(page.map_err(Into::into).map(|page| {
                    let cursor = page.next.map(|next| Cursor(next).into());
                    $version::store::KeyResponse {
                        keys: page.keys,
                        cursor,
                    }
                }))
            }

            async fn drop(&mut self, bucket: Resource<Bucket>) -> wasmtime::Result<()> {
                self.drop_bucket(bucket)
            }
        }

        impl $version::batch::Host for CallState {
            async fn get_many(
                &mut self,
                bucket: Resource<Bucket>,
                keys: Vec<String>,
            ) -> wasmtime::Result<Result<Vec<Option<(String, Vec<u8>)>>, $version::store::Error>>
            {
                Ok(self.get_values(&bucket, keys).await?.map_err(Into::into))
            }

            async fn set_many(
                &mut self,
                bucket: Resource<Bucket>,
                pairs: Vec<(String, Vec<u8>)>,
            ) -> wasmtime::Result<Result<(), $version::store::Error>> {
                Ok(self.set_values(&bucket, pairs).await?.map_err(Into::into))
            }

            async fn delete_many(
                &mut self,
                bucket: Resource<Bucket>,
                keys: Vec<String>,
            ) -> wasmtime::Result<Result<(), $version::store::Error>> {
                Ok(self.delete_keys(&bucket, keys).await?.map_err(Into::into))
            }
        }
    };
}

same_in!(draft, u64);
same_in!(draft2, String);

/// The place after which the next keys come.
struct Cursor(u64);

impl From<Cursor> for u64 {
    fn from(cursor: Cursor) -> Self {
        cursor.0
    }
}

impl From<Cursor> for String {
    fn from(cursor: Cursor) -> Self {
        cursor.0.to_string()
    }
}

fn not_a_cursor() -> KeyValueError {
    KeyValueError::Other("the cursor is none that `list-keys` has returned".into())
}

impl draft::atomics::Host for CallState {
    async fn increment(
        &mut self,
        bucket: Resource<Bucket>,
        key: String,
        delta: u64,
    ) -> wasmtime::Result<Result<u64, draft::store::Error>> {
        let range = 0..=i128::from(u64::MAX);
        let sum = self.add_to_number(&bucket, key, delta.into(), range);
        // The sum is in the range.
        Ok(sum
            .await?
            .map(|sum| u64::try_from(sum).unwrap_or(u64::MAX))
            .map_err(Into::into))
    }
}

impl draft2::atomics::Host for CallState {
    async fn increment(
        &mut self,
        bucket: Resource<Bucket>,
        key: String,
        delta: i64,
    ) -> wasmtime::Result<Result<i64, draft2::store::Error>> {
        let range = i64::MIN.into()..=i64::MAX.into();
        let sum = self.add_to_number(&bucket, key, delta.into(), range);
        // The sum is in the range.
        Ok(sum
            .await?
            .map(|sum| i64::try_from(sum).unwrap_or(i64::MAX))
            .map_err(Into::into))
    }

    async fn swap(
        &mut self,
        cas: Resource<Cas>,
        value: Vec<u8>,
    ) -> wasmtime::Result<Result<(), draft2::atomics::CasError>> {
        Ok(match self.swap_value(cas, value).await? {
            Ok(Ok(())) => Ok(()),
            Ok(Err((cas, value))) => {
                let cas = self.table.push(cas)?;
                Err(draft2::atomics::CasError::CasFailed((cas, value)))
            }
            Err(error) => Err(draft2::atomics::CasError::StoreError(error.into())),
        })
    }
}

impl draft2::atomics::HostCas for CallState {
    async fn new(
        &mut self,
        bucket: Resource<Bucket>,
        key: String,
    ) -> wasmtime::Result<Result<Resource<Cas>, draft2::store::Error>> {
        Ok(match self.remember(&bucket, key).await? {
            Ok((cas, _)) => Ok(self.table.push(cas)?),
            Err(error) => Err(error.into()),
        })
    }

    async fn new_with_read(
        &mut self,
        bucket: Resource<Bucket>,
        key: String,
    ) -> wasmtime::Result<Result<(Resource<Cas>, Option<Vec<u8>>), draft2::store::Error>> {
        Ok(match self.remember(&bucket, key).await? {
            Ok((cas, value)) => Ok((self.table.push(cas)?, value)),
            Err(error) => Err(error.into()),
        })
    }

    async fn drop(&mut self, cas: Resource<Cas>) -> wasmtime::Result<()> {
        self.table.delete(cas)?;
        Ok(())
    }
}
