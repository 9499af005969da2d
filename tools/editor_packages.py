"""What `init --editor` installs, packed from `editors/` into the Python package: `make editors`.

The same sources give the same bytes, on any machine: entries in a fixed order, of a fixed time, and not
compressed, because compressors differ. (The wheel is compressed as a whole.)
"""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from blueline import __version__

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "editors"
TARGET = ROOT / "blueline" / "surfaces" / "cli" / "_editors"
OLDEST = (1980, 1, 1, 0, 0, 0)

CONTENT_TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".js" ContentType="application/javascript"/>
<Default Extension=".json" ContentType="application/json"/>
<Default Extension=".md" ContentType="text/markdown"/>
<Default Extension=".svg" ContentType="image/svg+xml"/>
<Default Extension=".txt" ContentType="text/plain"/>
<Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
"""


def main(words: list[str]) -> int:
    made = {"blueline.vsix": vscode(), "neovim.zip": neovim()}
    if "--check" in words:
        others = [name for name, data in made.items() if _read(TARGET / name) != data]
        if others:
            print(
                f"not what the sources make: {', '.join(others)}; commit what make editors built",
                file=sys.stderr,
            )
        return 1 if others else 0
    TARGET.mkdir(exist_ok=True)
    for name, data in made.items():
        (TARGET / name).write_bytes(data)
    return 0


def vscode() -> bytes:
    """The extension, as VS Code installs it from a file. It is of the version that Blueline is of."""
    folder = SOURCES / "vscode"
    manifest = json.loads((folder / "package.json").read_text())
    for development in ("scripts", "devDependencies", "prettier"):
        del manifest[development]
    manifest["version"] = __version__
    return packed(
        {
            "extension.vsixmanifest": _vsix_manifest(manifest).encode(),
            "[Content_Types].xml": CONTENT_TYPES.encode(),
            "extension/package.json": json.dumps(manifest, ensure_ascii=False).encode(),
            "extension/README.md": (folder / "README.md").read_bytes(),
            "extension/LICENSE.txt": (ROOT / "LICENSE").read_bytes(),
            "extension/dist/extension.js": (folder / "dist" / "extension.js").read_bytes(),
            "extension/media/blueline.svg": (folder / "media" / "blueline.svg").read_bytes(),
        }
    )


def neovim() -> bytes:
    """The plugin, as its folder is."""
    folder = SOURCES / "neovim"
    files = sorted(one for one in folder.rglob("*") if one.is_file())
    return packed({one.relative_to(folder).as_posix(): one.read_bytes() for one in files})


def packed(files: Mapping[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, OLDEST)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return made.getvalue()


def _vsix_manifest(manifest: Mapping[str, str]) -> str:
    words = {name: quoteattr(manifest[name]) for name in ("name", "version", "publisher")}
    engine = quoteattr(json.loads(json.dumps(manifest["engines"]))["vscode"])
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id={words["name"]} Version={words["version"]} Publisher={words["publisher"]}/>
<DisplayName>{escape(manifest["displayName"])}</DisplayName>
<Description xml:space="preserve">{escape(manifest["description"])}</Description>
<Properties>
<Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
<Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
</Properties>
<License>extension/LICENSE.txt</License>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>
<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
</Assets>
</PackageManifest>
"""


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
