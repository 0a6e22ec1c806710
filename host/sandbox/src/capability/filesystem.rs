//! `wasi:filesystem`: the granted directories and nothing beside them, as
//! wasmtime-wasi enforces it on the opened handle. What is added here: quotas on
//! what is open, made and written, only files that cannot block for ever, a
//! record of what was refused, and the ledger of what was changed.

mod descriptor;
mod link;
mod open;
mod stream;
mod usage;

use std::sync::Arc;

use toolhost_policy::{Access, DirGrant, Grants};
use toolhost_tool::{Denial, EffectKind, truncate_chars};
use wasmtime::component::{HasData, Linker, Resource};
use wasmtime_wasi::filesystem::{Descriptor, WasiFilesystemCtxView};
use wasmtime_wasi::p2::bindings::filesystem::types::{
    DescriptorStat, DescriptorType, ErrorCode, Host, HostDescriptor, OpenFlags, PathFlags,
};
use wasmtime_wasi::p2::bindings::filesystem::{preopens, types};
use wasmtime_wasi::p2::{FsError, FsResult};

use super::run::RunCtx;
use crate::ledger::{Act, Ledger};
use crate::state::CallState;

pub(crate) use open::Open;
use open::{Handle, join};
use usage::OverQuota;

/// Most directories that are listed at a time: the names of a listing are held by
/// the host, however many there are.
const MAX_LISTINGS: u32 = 32;

/// Longest path that is remembered of a refusal.
const MAX_TARGET_CHARS: usize = 300;

struct Bounded;

/// The file system while a host function works on it.
struct View<'a> {
    files: WasiFilesystemCtxView<'a>,
    open: &'a mut Open,
    run: &'a mut RunCtx,
    ledger: &'a Ledger,
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
        ledger: &state.ledger,
        grants: &state.grants,
    }
}

type Fd = Resource<Descriptor>;

impl View<'_> {
    /// What is at `path` from `fd`, as the guest would name it.
    fn name(&self, fd: &Fd, path: &str) -> String {
        join(&self.open.path(fd.rep()), path)
    }

    /// Remembers a refusal. A path that leads out of its directory is refused
    /// with the same code as a write to one that is read-only: to advise `:rw`
    /// there would give the plugin more and help nobody, and no other grant makes
    /// the path one that stays inside.
    fn note<T>(&mut self, result: FsResult<T>, target: &str, written: &[&Fd]) -> FsResult<T> {
        if let Err(error) = &result
            && matches!(
                error.downcast_ref(),
                Some(ErrorCode::NotPermitted | ErrorCode::ReadOnly)
            )
        {
            let mut grants = written.iter().filter_map(|fd| {
                let root = self.open.root(fd.rep())?;
                self.grants.dirs.get(root)
            });
            let read_only = grants.find(|grant| grant.access == Access::ReadOnly);
            let flag = read_only.map(writable);
            self.deny(target, flag.as_deref());
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

    /// What no grant allows.
    fn refuse(&mut self, target: &str) -> FsError {
        self.deny(target, None);
        ErrorCode::NotPermitted.into()
    }

    /// Writes down that a path is about to be changed.
    fn begin(&self, target: &str) -> Act {
        self.ledger.begin(EffectKind::File, target)
    }

    /// The same, where something new is made.
    fn begin_new(&self, target: &str) -> FsResult<Act> {
        self.open.usage.check_creation(target)?;
        Ok(self.begin(target))
    }

    /// Writes down how it went, among the refusals too.
    fn end<T>(
        &mut self,
        act: &Act,
        result: FsResult<T>,
        target: &str,
        written: &[&Fd],
    ) -> FsResult<T> {
        settle(act, &result);
        self.note(result, target, written)
    }

    fn end_new<T>(
        &mut self,
        act: &Act,
        result: FsResult<T>,
        target: &str,
        written: &[&Fd],
    ) -> FsResult<T> {
        if result.is_ok() {
            self.open.usage.count_creation();
        }
        self.end(act, result, target, written)
    }

    /// Opening or reading a pipe or a device may never return, and the thread
    /// that does it would be lost to the host. Returns what is there, if it was
    /// looked at.
    async fn check_kind(
        &mut self,
        fd: &Fd,
        path_flags: PathFlags,
        path: &str,
        open_flags: OpenFlags,
    ) -> FsResult<Option<DescriptorStat>> {
        if open_flags.intersects(OpenFlags::DIRECTORY | OpenFlags::EXCLUSIVE) {
            return Ok(None);
        }
        let borrowed = Resource::new_borrow(fd.rep());
        let found = self.files.stat_at(borrowed, path_flags, path.to_owned());
        let Ok(found) = found.await else {
            // Opening it will say why.
            return Ok(None);
        };
        match found.type_ {
            DescriptorType::RegularFile
            | DescriptorType::Directory
            | DescriptorType::SymbolicLink => Ok(Some(found)),
            _ => {
                // A pipe or a device: no grant changes that.
                let target = self.name(fd, path);
                Err(self.refuse(&target))
            }
        }
    }

    /// The file behind a handle, if it is one that may be written.
    fn writable(&self, fd: &Fd) -> FsResult<Option<Arc<std::fs::File>>> {
        Ok(match self.files.table.get(fd)? {
            Descriptor::File(file) if !file.perms.write_not_permitted() => {
                Some(Arc::clone(&file.file))
            }
            _ => None,
        })
    }
}

/// A file system that fails may have done a part.
fn settle<T>(act: &Act, result: &FsResult<T>) {
    match result {
        Ok(_) => act.confirm(),
        Err(error) => match error.downcast_ref() {
            None | Some(ErrorCode::Io | ErrorCode::Interrupted) => {}
            Some(_) => act.did_not_happen(),
        },
    }
}

/// The flag that makes a read-only directory a writable one.
fn writable(grant: &DirGrant) -> String {
    let grants = Grants {
        dirs: vec![DirGrant {
            access: Access::ReadWrite,
            ..grant.clone()
        }],
        ..Grants::default()
    };
    let flags = grants.items().into_iter().map(|item| item.flag());
    flags.collect()
}

impl preopens::Host for View<'_> {
    fn get_directories(&mut self) -> wasmtime::Result<Vec<(Fd, String)>> {
        if !self.open.has_places(self.grants.dirs.len()) {
            return Ok(Vec::new());
        }
        let directories = self.files.get_directories()?;
        // They come in the order of the grants.
        for (root, (fd, path)) in directories.iter().enumerate() {
            self.open
                .add(fd.rep(), Handle::new(root, path.as_str(), self.ledger));
        }
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
        if self.files.table.get(&error)?.is::<OverQuota>() {
            return Ok(Some(ErrorCode::Quota));
        }
        self.files.filesystem_error_code(error)
    }
}
