//! The functions on open files and directories.

use wasmtime::component::Resource;
use wasmtime_wasi::p2::bindings::filesystem::types::{
    Advice, DescriptorFlags, DescriptorStat, DescriptorType, DirectoryEntry, DirectoryEntryStream,
    ErrorCode, Filesize, HostDescriptor, HostDirectoryEntryStream, MetadataHashValue, NewTimestamp,
    OpenFlags, PathFlags,
};
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, FsResult};

use super::link::{climbs, parent};
use super::open::Handle;
use super::stream::FileStream;
use super::{Fd, View};

/// Functions that are passed on as they are.
macro_rules! pass_on {
    ($($name:ident($($argument:ident: $ty:ty),*) -> $result:ty;)*) => {
        $(async fn $name(&mut self, fd: Fd, $($argument: $ty),*) -> FsResult<$result> {
            self.files.$name(fd, $($argument),*).await
        })*
    };
}

/// Another handle for the same file, to look at it once more after it was handed
/// on.
fn again(fd: &Fd) -> Fd {
    Resource::new_borrow(fd.rep())
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

    async fn set_size(&mut self, fd: Fd, size: Filesize) -> FsResult<()> {
        let writes = self.open.writes(fd.rep(), self.ledger);
        if let Some(file) = self.writable(&fd)? {
            let old = file.metadata()?.len();
            let grown = size.saturating_sub(old);
            self.open.usage.reserve(writes.path(), old, old, grown)?;
            writes.begin(0);
        }
        let same = again(&fd);
        let result = self.files.set_size(fd, size).await;
        writes.settle(&result);
        self.note(result, writes.path(), &[&same])
    }

    async fn set_times(
        &mut self,
        fd: Fd,
        accessed: NewTimestamp,
        modified: NewTimestamp,
    ) -> FsResult<()> {
        let (target, same) = (self.name(&fd, ""), again(&fd));
        let act = self.begin(&target);
        let result = self.files.set_times(fd, accessed, modified).await;
        self.end(&act, result, &target, &[&same])
    }

    async fn set_times_at(
        &mut self,
        fd: Fd,
        flags: PathFlags,
        path: String,
        accessed: NewTimestamp,
        modified: NewTimestamp,
    ) -> FsResult<()> {
        let (target, same) = (self.name(&fd, &path), again(&fd));
        let act = self.begin(&target);
        let result = self
            .files
            .set_times_at(fd, flags, path, accessed, modified)
            .await;
        self.end(&act, result, &target, &[&same])
    }

    async fn create_directory_at(&mut self, fd: Fd, path: String) -> FsResult<()> {
        let (target, same) = (self.name(&fd, &path), again(&fd));
        let act = self.begin_new(&target)?;
        let result = self.files.create_directory_at(fd, path).await;
        self.end_new(&act, result, &target, &[&same])
    }

    async fn remove_directory_at(&mut self, fd: Fd, path: String) -> FsResult<()> {
        let (target, same) = (self.name(&fd, &path), again(&fd));
        let act = self.begin(&target);
        let result = self.files.remove_directory_at(fd, path).await;
        self.end(&act, result, &target, &[&same])
    }

    async fn unlink_file_at(&mut self, fd: Fd, path: String) -> FsResult<()> {
        let (target, same) = (self.name(&fd, &path), again(&fd));
        let act = self.begin(&target);
        let result = self.files.unlink_file_at(fd, path).await;
        self.end(&act, result, &target, &[&same])
    }

    async fn symlink_at(&mut self, fd: Fd, source: String, path: String) -> FsResult<()> {
        let (target, same) = (self.name(&fd, &path), again(&fd));
        let act = self.begin_new(&target)?;
        if climbs(&source) {
            act.did_not_happen();
            return Err(self.refuse(&format!("{target} -> {source}")));
        }
        let result = self.files.symlink_at(fd, source, path).await;
        self.end_new(&act, result, &target, &[&same])
    }

    async fn link_at(
        &mut self,
        fd: Fd,
        flags: PathFlags,
        path: String,
        other: Fd,
        to: String,
    ) -> FsResult<()> {
        let target = format!("{} -> {}", self.name(&fd, &path), self.name(&other, &to));
        let same = [again(&fd), again(&other)];
        self.check_move((&fd, &path), (&other, &to), &target)
            .await?;
        let act = self.begin_new(&target)?;
        let result = self.files.link_at(fd, flags, path, other, to).await;
        self.end_new(&act, result, &target, &[&same[0], &same[1]])
    }

    async fn rename_at(&mut self, fd: Fd, path: String, other: Fd, to: String) -> FsResult<()> {
        let target = format!("{} -> {}", self.name(&fd, &path), self.name(&other, &to));
        let same = [again(&fd), again(&other)];
        self.check_move((&fd, &path), (&other, &to), &target)
            .await?;
        let act = self.begin(&target);
        let result = self.files.rename_at(fd, path, other, to).await;
        self.end(&act, result, &target, &[&same[0], &same[1]])
    }

    async fn open_at(
        &mut self,
        fd: Fd,
        path_flags: PathFlags,
        path: String,
        open_flags: OpenFlags,
        flags: DescriptorFlags,
    ) -> FsResult<Fd> {
        let found = self.check_kind(&fd, path_flags, &path, open_flags).await?;
        if !self.open.has_places(1) {
            return Err(ErrorCode::Quota.into());
        }
        let (target, same) = (self.name(&fd, &path), again(&fd));
        let creates = open_flags.contains(OpenFlags::CREATE) && found.is_none();
        if creates {
            self.open.usage.check_creation(&target)?;
        }
        let root = self.open.root(fd.rep()).unwrap_or(usize::MAX);
        let handle = Handle::new(root, target.as_str(), self.ledger);
        let changes = creates || open_flags.contains(OpenFlags::TRUNCATE);
        if changes {
            handle.writes.begin(0);
        }
        let opened = self.files.open_at(fd, path_flags, path, open_flags, flags);
        let opened = opened.await;
        handle.writes.settle(&opened);
        if let Ok(opened) = &opened {
            self.open.add(opened.rep(), handle);
            if creates {
                self.open.usage.count_creation();
            }
        }
        let writes = flags.intersects(DescriptorFlags::WRITE | DescriptorFlags::MUTATE_DIRECTORY)
            || open_flags.intersects(OpenFlags::CREATE | OpenFlags::TRUNCATE);
        let written = [&same];
        self.note(opened, &target, if writes { &written } else { &[] })
    }

    async fn write(&mut self, fd: Fd, bytes: Vec<u8>, offset: Filesize) -> FsResult<Filesize> {
        let (writes, same) = (self.open.writes(fd.rep(), self.ledger), again(&fd));
        let len = bytes.len();
        if let Some(file) = self.writable(&fd)? {
            let size = file.metadata()?.len();
            let usage = &self.open.usage;
            usage.reserve(writes.path(), size, offset, len as u64)?;
            writes.begin(len);
        }
        let result = self.files.write(fd, bytes, offset).await;
        writes.settle(&result);
        self.note(result, writes.path(), &[&same])
    }

    async fn read_directory(&mut self, fd: Fd) -> FsResult<Resource<DirectoryEntryStream>> {
        if !self.open.add_listing() {
            return Err(ErrorCode::Quota.into());
        }
        let listing = self.files.read_directory(fd).await;
        if listing.is_err() {
            self.open.remove_listing();
        }
        listing
    }

    fn read_via_stream(&mut self, fd: Fd, offset: Filesize) -> FsResult<Resource<DynInputStream>> {
        self.files.read_via_stream(fd, offset)
    }

    fn write_via_stream(
        &mut self,
        fd: Fd,
        offset: Filesize,
    ) -> FsResult<Resource<DynOutputStream>> {
        let same = again(&fd);
        let stream = self.files.write_via_stream(fd, offset);
        self.counted(stream, &same, Some(offset))
    }

    fn append_via_stream(&mut self, fd: Fd) -> FsResult<Resource<DynOutputStream>> {
        let same = again(&fd);
        let stream = self.files.append_via_stream(fd);
        self.counted(stream, &same, None)
    }

    async fn is_same_object(&mut self, a: Fd, b: Fd) -> wasmtime::Result<bool> {
        self.files.is_same_object(a, b).await
    }

    fn drop(&mut self, fd: Fd) -> wasmtime::Result<()> {
        let rep = fd.rep();
        HostDescriptor::drop(&mut self.files, fd)?;
        self.open.remove(rep);
        Ok(())
    }
}

impl View<'_> {
    /// A link with `..` in it gets no name in another directory, where it would
    /// lead elsewhere.
    async fn check_move(
        &mut self,
        (from, path): (&Fd, &str),
        (other, to): (&Fd, &str),
        target: &str,
    ) -> FsResult<()> {
        if from.rep() == other.rep() && parent(path) == parent(to) {
            return Ok(());
        }
        let link = self.files.readlink_at(again(from), path.to_owned()).await;
        match link {
            Ok(link) if climbs(&link) => Err(self.refuse(target)),
            // It is no link, or what is wrong is told when it is moved.
            _ => Ok(()),
        }
    }

    /// Puts a counted stream into the place of one that is not.
    fn counted(
        &mut self,
        stream: FsResult<Resource<DynOutputStream>>,
        fd: &Fd,
        at: Option<u64>,
    ) -> FsResult<Resource<DynOutputStream>> {
        let writes = self.open.writes(fd.rep(), self.ledger);
        let stream = self.note(stream, writes.path(), &[fd])?;
        if let Some(file) = self.writable(fd)? {
            let inner = self.files.table.delete(stream)?;
            let usage = std::sync::Arc::clone(&self.open.usage);
            let counted = FileStream::new(inner, file, at, usage, writes);
            let counted: DynOutputStream = Box::new(counted);
            return Ok(self.files.table.push(counted)?);
        }
        Ok(stream)
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
        self.open.remove_listing();
        Ok(())
    }
}
