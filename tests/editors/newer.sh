#!/bin/sh
# Editors that are newer than the distribution's, from the suite of Debian that follows it: fetched with their
# libraries, and unpacked into a folder. Nothing is installed. They are started with the loader they came with.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
suite=$2
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/state"
: >"$folder/state/status"
uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
keys=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [signed-by=$keys] $uri $suite main" >"$folder/sources"
cat >"$folder/apt.conf" <<END
Dir::Etc::SourceList "$folder/sources";
Dir::Etc::SourceParts "/dev/null";
Dir::State "$folder/state";
Dir::State::Lists "$folder/lists";
Dir::State::Status "$folder/state/status";
Dir::Cache "$folder/cache";
APT::Sandbox::User "$(id -un)";
APT::Install-Recommends "false";
END
export APT_CONFIG="$folder/apt.conf"
apt-get -qq update
apt-get -qq --yes --download-only install neovim hx >/dev/null
for package in "$folder"/cache/archives/*.deb; do dpkg -x "$package" "$folder/root"; done
start() {
  cat >"$folder/$1" <<END
#!/bin/sh
root='$folder/root'
export $2="\$root/$3"
exec "\$root/usr/lib64/ld-linux-x86-64.so.2" --library-path "\$root/usr/lib/x86_64-linux-gnu" "\$root/$4" "\$@"
END
  chmod +x "$folder/$1"
  "$folder/$1" --version | head -n 1
}
start nvim VIMRUNTIME usr/share/nvim/runtime usr/bin/nvim
start hx HELIX_RUNTIME usr/lib/hx/runtime usr/lib/hx/hx
rm -rf "$folder/lists" "$folder/cache"
