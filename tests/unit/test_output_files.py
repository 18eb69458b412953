"""Files that the program writes: whole, in the place of the old one, and never over an input."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from gainsayer.errors import CallError
from gainsayer.output_files import refuse_inputs, write_files


def test_a_replaced_file_keeps_its_permissions_and_owner(tmp_path: Path) -> None:
    """The mode stays, whatever the umask; the owner stays where the system allows it."""
    path = tmp_path / "model.json"
    path.write_text("old")
    path.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(path, 12345, 12346)
    before = path.stat()
    write_files({path: "new"})
    after = path.stat()
    assert path.read_text() == "new"
    assert after.st_ino != before.st_ino, "written beside and renamed"
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


def test_a_new_file_has_the_permissions_of_the_umask(tmp_path: Path) -> None:
    """As any program's new file."""
    write_files({tmp_path / "new": b"x"})
    (tmp_path / "plain").write_bytes(b"x")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)


@pytest.mark.parametrize("dangling", [False, True])
def test_links_are_written_through(tmp_path: Path, dangling: bool) -> None:
    """A link to a link to a file, or to where none is yet: the links stay, the file at their end is new."""
    (tmp_path / "far").mkdir()
    if not dangling:
        (tmp_path / "far" / "file").write_text("old")
    (tmp_path / "middle").symlink_to("far/file")
    (tmp_path / "link").symlink_to("middle")
    write_files({tmp_path / "link": "new"})
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "middle").is_symlink()
    assert (tmp_path / "far" / "file").read_text() == "new"
    assert [path.name for path in (tmp_path / "far").iterdir()] == ["file"]


def test_files_that_belong_together_come_together(tmp_path: Path) -> None:
    """Where the second cannot be written the first is not either, and nothing is left beside them."""
    (tmp_path / "one").write_text("old")
    with pytest.raises(CallError, match=r"Cannot write .*two: No such file or directory"):
        write_files({tmp_path / "one": "new", tmp_path / "none" / "two": "new"})
    assert (tmp_path / "one").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_names_as_long_as_the_system_allows(tmp_path: Path) -> None:
    """A name of 255 bytes is written; a longer one is refused in words."""
    write_files({tmp_path / ("é" * 127 + "x"): "new"})
    with pytest.raises(CallError, match="File name too long"):
        write_files({tmp_path / ("n" * 256): "new"})
    assert len(list(tmp_path.iterdir())) == 1


def test_what_cannot_be_written(tmp_path: Path) -> None:
    """A circle of links, a full device, a folder, no name: our error, with the reason."""
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(CallError, match="Too many levels of symbolic links"):
        write_files({tmp_path / "a": "new"})
    with pytest.raises(CallError, match="Too many levels of symbolic links"):
        refuse_inputs([tmp_path / "a"], [])
    with pytest.raises(CallError, match="No space left on device"):
        write_files({Path("/dev/full"): "new"})
    with pytest.raises(CallError, match="Is a directory"):
        write_files({tmp_path: "new"})
    with pytest.raises(CallError, match="needs the name of a file"):
        write_files({Path(): "new"})


def test_an_input_is_known_by_its_inode(tmp_path: Path) -> None:
    """Another way to write the name, a symbolic link and a hard link are the same file; a copy is not."""
    path = tmp_path / "a.qrels"
    path.write_text("q 0 d 1\n")
    (tmp_path / "soft").symlink_to(path)
    (tmp_path / "hard").hardlink_to(path)
    (tmp_path / "copy").write_text("q 0 d 1\n")
    for name in ("a.qrels", "soft", "hard", "../" + tmp_path.name + "/a.qrels"):
        with pytest.raises(CallError, match="is also read here"):
            refuse_inputs([tmp_path / name], [str(path)])
        with pytest.raises(CallError, match="is also read here"):
            refuse_inputs([path], [str(tmp_path / name)])
    refuse_inputs([tmp_path / "copy", tmp_path / "new"], [str(path), str(tmp_path / "missing")])
    refuse_inputs([Path("/dev/null")], ["/dev/null"])
