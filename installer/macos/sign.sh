#!/bin/sh
# Sign, notarise and pack Fireside.app on a Mac: sign.sh Fireside.app IDENTITY KEYCHAIN-PROFILE RESULT.dmg
# IDENTITY is a "Developer ID Application"; the profile comes from `xcrun notarytool store-credentials`.
# From the inside out, each file by itself. The programs may use the microphone (dictation), and load components
# that the user downloaded, which others have signed or nobody.
set -eu
app=$1 identity=$2 profile=$3 result=$4
entitlements=$(dirname -- "$0")/entitlements.plist
find "$app/Contents/Resources" -type f \( -name '*.dylib' -o -name '*.so' -o -perm -u+x \) | while read -r file; do
    if file -b "$file" | grep -q '^Mach-O'; then
        codesign --force --timestamp --options runtime --entitlements "$entitlements" --sign "$identity" "$file"
    fi
done
codesign --force --timestamp --options runtime --entitlements "$entitlements" --sign "$identity" "$app"
codesign --verify --strict --deep --verbose=2 "$app"
hdiutil create -volname Fireside -srcfolder "$app" -ov -format ULFO "$result"
codesign --force --timestamp --sign "$identity" "$result"
xcrun notarytool submit "$result" --keychain-profile "$profile" --wait
xcrun stapler staple "$result"
spctl --assess --type open --context context:primary-signature --verbose "$result"
