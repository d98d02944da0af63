"""What has not changed is not sent again, and a damaged cache is as good as none."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from data.web.client import Answer, get_json, open_client
from tests.tools.loopback import Loopback, Reply, serving

OLD, NEW = b'["old"]', b'["new"]'


def fetched(server: Loopback, cache: Path, digest: str = "") -> Answer:
    with open_client(server.url, cache) as client:
        return get_json(client, "feed.json", digest=digest)


def test_an_unchanged_document_is_not_sent_again(tmp_path: Path) -> None:
    with serving({"feed.json": Reply(body=OLD, headers={"ETag": '"1"'})}) as server:
        assert not fetched(server, tmp_path).cached
        again = fetched(server, tmp_path)
    assert (again.value, again.cached) == (["old"], True)
    assert server.requests[1].headers["if-none-match"] == '"1"'


def test_a_changed_document_replaces_the_kept_one(tmp_path: Path) -> None:
    with serving({"feed.json": Reply(body=OLD, headers={"ETag": '"1"'})}) as server:
        fetched(server, tmp_path)
        server.routes["feed.json"] = Reply(body=NEW, headers={"ETag": '"2"', "Last-Modified": "yesterday"})
        assert fetched(server, tmp_path).value == ["new"]
        assert fetched(server, tmp_path).cached
    assert server.requests[2].headers["if-modified-since"] == "yesterday"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("damage", [b"", b"{}\n[]", b"not json\n[]", b"\xff\xfe", b"[" * 100_000, None])
def test_a_damaged_entry_is_as_good_as_none(tmp_path: Path, damage: bytes | None) -> None:
    with serving({"feed.json": Reply(body=OLD, headers={"ETag": '"1"'})}) as server:
        fetched(server, tmp_path)
        (entry,) = tmp_path.iterdir()
        entry.write_bytes(entry.read_bytes()[:-1] if damage is None else damage)
        again = fetched(server, tmp_path)
    assert (again.value, again.cached) == (["old"], False)
    assert "if-none-match" not in server.requests[1].headers


@pytest.mark.parametrize("method", ["md5", "sha1", "sha256"])
def test_a_published_checksum_of_the_kept_document_saves_the_request(tmp_path: Path, method: str) -> None:
    digest = hashlib.new(method, OLD).hexdigest()
    with serving({"feed.json": OLD}) as server:
        fetched(server, tmp_path, digest)
        assert fetched(server, tmp_path, digest).cached
        assert len(server.requests) == 1


def test_a_checksum_that_does_not_fit_causes_a_download(tmp_path: Path) -> None:
    with serving({"feed.json": OLD}) as server:
        fetched(server, tmp_path)
        server.routes["feed.json"] = NEW
        assert fetched(server, tmp_path, hashlib.md5(NEW).hexdigest()).value == ["new"]
        assert fetched(server, tmp_path, "version 17").value == ["new"]
        assert len(server.requests) == 3


def test_an_error_is_never_kept(tmp_path: Path) -> None:
    with serving({"feed.json": [Reply(status=404, body=OLD), Reply(body=NEW)]}) as server:
        with open_client(server.url, tmp_path) as client:
            assert client.get("feed.json").status_code == 404
        assert list(tmp_path.iterdir()) == []
        assert fetched(server, tmp_path).value == ["new"]


def test_a_cache_that_cannot_be_written_costs_nothing_but_the_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with serving({"feed.json": OLD}) as server:
        assert fetched(server, tmp_path / "file").value == ["old"]


def test_a_validator_that_cannot_be_sent_back_is_forgotten(tmp_path: Path) -> None:
    with serving({"feed.json": Reply(body=OLD, headers={"ETag": '"é"'})}) as server:
        fetched(server, tmp_path)
        assert fetched(server, tmp_path).value == ["old"]


def test_a_redirect_does_not_carry_the_validators_of_the_address_before(tmp_path: Path) -> None:
    with serving({"feed.json": Reply(body=OLD, headers={"ETag": '"1"'}), "moved.json": NEW}) as server:
        fetched(server, tmp_path)
        server.routes["feed.json"] = Reply(status=302, headers={"Location": "/moved.json"})
        assert fetched(server, tmp_path).value == ["new"]
    assert "if-none-match" not in server.requests[-1].headers
