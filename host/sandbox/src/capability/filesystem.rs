//! `wasi:filesystem`: the granted directories and nothing beside them, as
//! wasmtime-wasi enforces it on the opened handle. What is added here: a bound on
//! what is open, only files that cannot block for ever, and a record of what was
//! refused.

use toolhost_policy::{Access, Grants};
use toolhost_tool::{Denial, truncate_chars};
use wasmtime::component::{HasData, Linker, Resource};
use wasmtime_wasi::filesystem::{Descriptor, WasiFilesystemCtxView};
use wasmtime_wasi::p2::bindings::filesystem::types::{
    Advice, DescriptorFlags, DescriptorStat, DescriptorType, DirectoryEntry, DirectoryEntryStream,
    ErrorCode, Filesize, Host, HostDescriptor, HostDirectoryEntryStream, MetadataHashValue,
    NewTimestamp, OpenFlags, PathFlags,
};
use wasmtime_wasi::p2::bindings::filesystem::{preopens, types};
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, FsError, FsResult};

use super::run::RunCtx;
use crate::state::CallState;

/// Most files and directories open at a time. Each takes a file descriptor of the
/// host process, of which it may have no more than 1,024 for all calls.
const MAX_OPEN: u32 = 200;

/// Most directories that are listed at a time: the names of a listing are held by
/// the host, however many there are.
const MAX_LISTINGS: u32 = 32;

/// Longest path that is remembered of a refusal.
const MAX_TARGET_CHARS: usize = 300;

/// What a call has open.
#[derive(Default)]
pub(crate) struct Open {
    files: u32,
    listings: u32,
}

struct Bounded;

/// The file system while a host function works on it.
struct View<'a> {
    files: WasiFilesystemCtxView<'a>,
    open: &'a mut Open,
    run: &'a mut RunCtx,
    grants: &'a Grants,
}

impl HasData for Bounded {
    type Data<'a> = View<'a>;
}

pub(crate) fn add_to_linker(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    types::add_to_linker::<_, Bounded>(linker, view)?;
    preopens::add_to_linker::<_, Bounded>(linker, view)
}

fn view(state: &mut CallState) -> View<'_> {
    View {
        files: WasiFilesystemCtxView {
            ctx: state.wasi.filesystem(),
            table: &mut state.table,
        },
        open: &mut state.open,
        run: &mut state.run,
        grants: &state.grants,
    }
}

type Fd = Resource<Descriptor>;

impl View<'_> {
    /// Remembers a refusal. A path that leads out of its directory is refused
    /// with the same code as a write to one that is read-only.
    fn note<T>(&mut self, result: FsResult<T>, target: &str) -> FsResult<T> {
        self.note_as(result, target, true)
    }

    /// The same, where it is known whether something was to be `written`. Where
    /// nothing was, or all may be written, the path leads out of its directory: to
    /// advise `:rw` would give the plugin more and help nobody.
    fn note_as<T>(&mut self, result: FsResult<T>, target: &str, written: bool) -> FsResult<T> {
        if let Err(error) = &result
            && matches!(
                error.downcast_ref(),
                Some(ErrorCode::NotPermitted | ErrorCode::ReadOnly)
            )
        {
            let some_read_only = self
                .grants
                .dirs
                .iter()
                .any(|dir| dir.access == Access::ReadOnly);
            let flag = if written && some_read_only {
                "--dir HOST::GUEST:rw"
            } else {
                "--dir HOST::GUEST"
            };
            self.deny(target, Some(flag));
        }
        result
    }

    fn deny(&mut self, target: &str, allow_with: Option<&str>) {
        self.run.deny(Denial {
            capability: "dir".into(),
            target: truncate_chars(target.to_owned(), MAX_TARGET_CHARS),
            allow_with: allow_with.map(str::to_owned),
        });
    }

    fn take_place(&mut self) -> FsResult<()> {
        if self.open.files >= MAX_OPEN {
            return Err(ErrorCode::Quota.into());
        }
        self.open.files += 1;
        Ok(())
    }

    /// Opening or reading a pipe or a device may never return, and the thread
    /// that does it would be lost to the host.
    async fn check_kind(
        &mut self,
        fd: &Fd,
        path_flags: PathFlags,
        path: &str,
        open_flags: OpenFlags,
    ) -> FsResult<()> {
        if open_flags.intersects(OpenFlags::DIRECTORY | OpenFlags::EXCLUSIVE) {
            return Ok(());
        }
        let fd = Resource::new_borrow(fd.rep());
        let Ok(found) = self.files.stat_at(fd, path_flags, path.to_owned()).await else {
            // Opening it will say why.
            return Ok(());
        };
        match found.type_ {
            DescriptorType::RegularFile
            | DescriptorType::Directory
            | DescriptorType::SymbolicLink => Ok(()),
            _ => {
                // A pipe or a device: no grant changes that.
                self.deny(path, None);
                Err(ErrorCode::NotPermitted.into())
            }
        }
    }
}

impl preopens::Host for View<'_> {
    fn get_directories(&mut self) -> wasmtime::Result<Vec<(Fd, String)>> {
        let wanted = u32::try_from(self.grants.dirs.len()).unwrap_or(u32::MAX);
        if wanted > MAX_OPEN.saturating_sub(self.open.files) {
            return Ok(Vec::new());
        }
        let directories = self.files.get_directories()?;
        self.open.files += wanted;
        Ok(directories)
    }
}

impl Host for View<'_> {
    fn convert_error_code(&mut self, error: FsError) -> wasmtime::Result<ErrorCode> {
        self.files.convert_error_code(error)
    }

    fn filesystem_error_code(
        &mut self,
        error: Resource<wasmtime::Error>,
    ) -> wasmtime::Result<Option<ErrorCode>> {
        self.files.filesystem_error_code(error)
    }
}

/// Functions that are passed on as they are.
macro_rules! pass_on {
    ($($name:ident($($argument:ident: $ty:ty),*) -> $result:ty;)*) => {
        $(async fn $name(&mut self, fd: Fd, $($argument: $ty),*) -> FsResult<$result> {
            self.files.$name(fd, $($argument),*).await
        })*
    };
}

/// Functions whose refusal is remembered, with what they were asked to change.
macro_rules! pass_on_and_note {
    ($($name:ident($($argument:ident: $ty:ty),*) about $target:expr;)*) => {
        $(async fn $name(&mut self, fd: Fd, $($argument: $ty),*) -> FsResult<()> {
            let target = String::from($target);
            let result = self.files.$name(fd, $($argument),*).await;
            self.note(result, &target)
        })*
    };
}

impl HostDescriptor for View<'_> {
    pass_on! {
        advise(offset: Filesize, len: Filesize, advice: Advice) -> ();
        sync_data() -> ();
        sync() -> ();
        get_flags() -> DescriptorFlags;
        get_type() -> DescriptorType;
        read(len: Filesize, offset: Filesize) -> (Vec<u8>, bool);
        stat() -> DescriptorStat;
        stat_at(flags: PathFlags, path: String) -> DescriptorStat;
        readlink_at(path: String) -> String;
        metadata_hash() -> MetadataHashValue;
        metadata_hash_at(flags: PathFlags, path: String) -> MetadataHashValue;
    }

    pass_on_and_note! {
        set_size(size: Filesize) about "an open file";
        set_times(accessed: NewTimestamp, modified: NewTimestamp) about "an open file";
        set_times_at(
            flags: PathFlags, path: String, accessed: NewTimestamp, modified: NewTimestamp
        ) about &*path;
        create_directory_at(path: String) about &*path;
        link_at(flags: PathFlags, path: String, other: Fd, to: String) about &*to;
        remove_directory_at(path: String) about &*path;
        rename_at(path: String, other: Fd, to: String) about &*to;
        symlink_at(source: String, path: String) about &*path;
        unlink_file_at(path: String) about &*path;
    }

    async fn open_at(
        &mut self,
        fd: Fd,
        path_flags: PathFlags,
        path: String,
        open_flags: OpenFlags,
        flags: DescriptorFlags,
    ) -> FsResult<Fd> {
        self.check_kind(&fd, path_flags, &path, open_flags).await?;
        self.take_place()?;
        let target = path.clone();
        let writes = flags.intersects(DescriptorFlags::WRITE | DescriptorFlags::MUTATE_DIRECTORY)
            || open_flags.intersects(OpenFlags::CREATE | OpenFlags::TRUNCATE);
        let opened = self.files.open_at(fd, path_flags, path, open_flags, flags);
        let opened = opened.await;
        if opened.is_err() {
            self.open.files -= 1;
        }
        self.note_as(opened, &target, writes)
    }

    async fn write(&mut self, fd: Fd, bytes: Vec<u8>, offset: Filesize) -> FsResult<Filesize> {
        let result = self.files.write(fd, bytes, offset).await;
        self.note(result, "an open file")
    }

    async fn read_directory(&mut self, fd: Fd) -> FsResult<Resource<DirectoryEntryStream>> {
        if self.open.listings >= MAX_LISTINGS {
            return Err(ErrorCode::Quota.into());
        }
        let listing = self.files.read_directory(fd).await?;
        self.open.listings += 1;
        Ok(listing)
    }

    fn read_via_stream(&mut self, fd: Fd, offset: Filesize) -> FsResult<Resource<DynInputStream>> {
        self.files.read_via_stream(fd, offset)
    }

    fn write_via_stream(
        &mut self,
        fd: Fd,
        offset: Filesize,
    ) -> FsResult<Resource<DynOutputStream>> {
        let stream = self.files.write_via_stream(fd, offset);
        self.note(stream, "an open file")
    }

    fn append_via_stream(&mut self, fd: Fd) -> FsResult<Resource<DynOutputStream>> {
        let stream = self.files.append_via_stream(fd);
        self.note(stream, "an open file")
    }

    async fn is_same_object(&mut self, a: Fd, b: Fd) -> wasmtime::Result<bool> {
        self.files.is_same_object(a, b).await
    }

    fn drop(&mut self, fd: Fd) -> wasmtime::Result<()> {
        HostDescriptor::drop(&mut self.files, fd)?;
        self.open.files = self.open.files.saturating_sub(1);
        Ok(())
    }
}

impl HostDirectoryEntryStream for View<'_> {
    async fn read_directory_entry(
        &mut self,
        listing: Resource<DirectoryEntryStream>,
    ) -> FsResult<Option<DirectoryEntry>> {
        self.files.read_directory_entry(listing).await
    }

    fn drop(&mut self, listing: Resource<DirectoryEntryStream>) -> wasmtime::Result<()> {
        HostDirectoryEntryStream::drop(&mut self.files, listing)?;
        self.open.listings = self.open.listings.saturating_sub(1);
        Ok(())
    }
}
