#!/bin/sh
# Make an AppImage of the archive for home folders: appimage.sh ARCHIVE RUNTIME SHA256-OF-RUNTIME RESULT
# RUNTIME is the static type-2 runtime of https://github.com/AppImage/type2-runtime; it needs mksquashfs.
set -eu
archive=$1 runtime=$2 sha256=$3 result=$4
printf '%s  %s\n' "$sha256" "$runtime" | sha256sum --check --quiet
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
tar -xf "$archive" -C "$stage" --strip-components=1
setup=$stage/share/fireside/setup
sed -e 's|@COMMAND@|fireside|; s|@PROGRAM@|fireside|' "$setup/installer/association/fireside.desktop" \
    > "$stage/fireside.desktop"
cp "$setup/resources/icons/fireside.svg" "$stage/fireside.svg"
ln -s fireside.svg "$stage/.DirIcon"
ln -s bin/fireside "$stage/AppRun"
rm -r "$setup" "$stage/install.sh" "$stage/uninstall.sh"
# An image cannot be written to, so it does not update itself.
sed -i 's/"kind": "folders"/"kind": "other"/' "$stage/share/fireside/build.json"
mksquashfs "$stage" "$stage.squashfs" -root-owned -noappend -quiet -comp zstd -mkfs-time 0 -all-time 0
cat "$runtime" "$stage.squashfs" > "$result"
rm "$stage.squashfs"
chmod +x "$result"
