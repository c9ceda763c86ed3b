# shellcheck shell=bash
# `./touchline package`: what a host installs, in dist/. Sourced by ./touchline. docs/packages.md has what
# lies where. Two builds of one commit are the same bytes but for the AOT cache of the image: every list is
# sorted, every file has the commit's time, owners are numbers.

# Modules of the packages' Java runtime. jdk.compiler is not among them.
runtime_modules=(
    java.base java.compiler java.desktop java.instrument java.logging java.management java.naming
    java.net.http java.prefs java.scripting java.security.jgss java.security.sasl java.sql
    java.sql.rowset java.transaction.xa java.xml java.xml.crypto
    jdk.crypto.ec jdk.jcmd jdk.jfr jdk.management jdk.management.agent jdk.management.jfr jdk.naming.dns
    jdk.net jdk.nio.mapmode jdk.security.auth jdk.security.jgss jdk.unsupported jdk.zipfs
)

# The image's user, and what it is made from.
image_user=10001
image_debian=${TOUCHLINE_DEBIAN:-trixie}
image_mirror=${TOUCHLINE_DEBIAN_MIRROR:-http://deb.debian.org}

# package_command [image|deb|tar]... [--lgpl] | check
package_command() {
    local kinds=() lgpl= kind
    if [ "${1:-}" = check ]; then
        shift
        exec "$root/deploy/test-packages.sh" "$@"
    fi
    while [ $# -gt 0 ]; do
        case $1 in
            image | deb | tar) kinds+=("$1") ;;
            --lgpl) lgpl=yes ;;
            --help | -h)
                echo "usage: ./touchline package [image|deb|tar]... [--lgpl] | check [12|13|image]..."
                return
                ;;
            *) die 2 "package: $1 (expected: image, deb, tar, --lgpl or check)" ;;
        esac
        shift
    done
    [ ${#kinds[@]} -gt 0 ] || kinds=(deb tar image)
    need jq=jq unzip=unzip
    case " ${kinds[*]} " in *" deb "*) need dpkg-deb=dpkg xz=xz-utils ;; esac
    case " ${kinds[*]} " in
        *" image "*)
            [ "$(id -u)" -eq 0 ] || die 2 "package image needs root: mmdebstrap and chroot make its files"
            need mmdebstrap=mmdebstrap
            ;;
    esac
    [ -z "$lgpl" ] || export MAVEN_ARGS="${MAVEN_ARGS:-} -Plgpl"
    find_jdk
    ensure_built api
    # Readable for everybody, whatever the builder's umask is.
    umask 022
    describe_version "$lgpl"
    packages=$root/dist
    scratch=$work/package
    mkdir -p "$packages" && rm -rf "$scratch" && mkdir -p "$scratch" || die 1 "cannot write to $root"
    installation
    for kind in "${kinds[@]}"; do
        "package_$kind"
    done
    rm -rf "$scratch"
}

# describe_version LGPL: sets version, SOURCE_DATE_EPOCH and natives_licence.
describe_version() {
    local pom commit time
    pom=$(sed -n '0,/<version>/s/.*<version>\(.*\)<\/version>.*/\1/p' "$root/pom.xml")
    version=${pom%-SNAPSHOT}
    if commit=$(git -C "$root" log -1 --abbrev=8 --format=%h 2>/dev/null); then
        time=$(git -C "$root" log -1 --format=%ct)
        # A snapshot is older than its release, and younger than the snapshot before.
        [ "$version" = "$pom" ] || version+="~$(date -u -d "@$time" +%Y%m%d%H%M%S).$commit"
        [ -z "$(git -C "$root" status --porcelain --untracked-files=no)" ] || version+=+changed
    else
        time=$(date -d "$(sed -n 's/.*<project.build.outputTimestamp>\(.*\)<.*/\1/p' "$root/pom.xml")" +%s)
        [ "$version" = "$pom" ] || version+="~snapshot"
    fi
    natives_licence=GPL-3.0-or-later
    if [ -n "$1" ]; then
        version+=+lgpl
        natives_licence=LGPL-3.0-or-later
    fi
    export SOURCE_DATE_EPOCH=$time
}

# installation: what all packages have in common, in $scratch/touchline.
installation() {
    local to=$scratch/touchline
    mkdir -p "$to"/{bin,lib,doc/licenses}
    cp "$dist/lib"/*.jar "$to/lib/" || die 1 "cannot write to $to"
    mkdir -p "$to/config" && cp -r "$root/config/models" "$to/config/models"
    cp "$root/deploy/package/touchline" "$root/deploy/launcher.sh" "$to/bin/"
    usage | sed -e '/^  test/d' -e '/^  bench/d' -e '/^  package/d' -e '/^  worker/d' \
        -e 's/^usage: .*/usage: touchline <command>/' -e 's/ Start with README.md.//' \
        >"$to/bin/usage.txt"
    cp "$root/config/src/main/resources/application.yaml" "$to/doc/"
    runtime "$to/runtime"
    bill "$to" >"$scratch/sbom.json" || die 1 "the SBOM cannot be made"
    licences "$to"
    find "$to" -type d -exec chmod 755 {} +
    find "$to" -type f -perm /111 -exec chmod 755 {} +
    find "$to" -type f ! -perm /111 -exec chmod 644 {} +
    same_times "$to"
}

# same_times FOLDER: every file gets the commit's time; the AOT cache knows the jars by it.
same_times() {
    find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# runtime FOLDER: the Java runtime.
runtime() {
    local modules options=()
    progress "making the Java runtime"
    modules=$(IFS=, && echo "${runtime_modules[*]}")
    # A JDK without jmods links from itself; its certificates may be those of the host.
    [ -d "$jdk/jmods" ] || options+=(--ignore-modified-runtime)
    "$jdk/bin/jlink" "${options[@]}" --add-modules "$modules" --no-header-files --no-man-pages \
        --vm=server --output "$1" >"$work/jlink.log" 2>&1 ||
        die 1 "jlink failed ($work/jlink.log): needs a JDK with jmods, or one that links from itself"
    # Archives of the JDK's classes, for the workers' first program and for short commands.
    "$1/bin/java" -Xshare:dump -XX:-UseCompactObjectHeaders >>"$work/jlink.log" 2>&1 &&
        "$1/bin/java" -Xshare:dump -XX:+UseCompactObjectHeaders >>"$work/jlink.log" 2>&1 ||
        die 1 "the archive of the JDK's classes cannot be made ($work/jlink.log)"
    end_progress
}

# bill FOLDER: the SBOM of an installation: the libraries, the natives' true licence, the Java runtime.
bill() {
    local vendor runtime
    [ -s "$dist/sbom.json" ] || die 1 "Maven made no SBOM: build once with access to Maven Central"
    vendor=$(sed -n 's/^IMPLEMENTOR="\(.*\)"/\1/p' "$1/runtime/release")
    runtime=$(sed -n 's/^JAVA_RUNTIME_VERSION="\(.*\)"/\1/p' "$1/runtime/release")
    jq -S --arg version "$version" --arg licence "$natives_licence" --arg vendor "${vendor:-OpenJDK}" \
        --arg runtime "${runtime:-25}" '
        .metadata.component.version = $version
        | .metadata |= del(.timestamp)
        | .components |= map(if ((.purl // "") | test("org.bytedeco/ffmpeg@.*classifier="))
              then .licenses = [{license: {id: $licence}}] else . end)
        | .components += [{
              "bom-ref": "java-runtime", type: "platform", name: "OpenJDK runtime", version: $runtime,
              publisher: $vendor,
              licenses: [{expression: "GPL-2.0-only WITH Classpath-exception-2.0"}]}]
        | .components |= sort_by(.["bom-ref"])' "$dist/sbom.json"
}

# licences FOLDER: NOTICE, and the texts of the licences: those in the jars, and those of the natives.
licences() {
    local jar name found=$1/doc/licenses
    for jar in "$1/lib"/*.jar; do
        name=$(basename "$jar" .jar)
        unzip -qq -o "$jar" 'META-INF/LICENSE*' 'META-INF/NOTICE*' 'META-INF/license/*' 'META-INF/COPYING*' \
            'LICENSE*' 'NOTICE*' -d "$found/$name" >/dev/null 2>&1
        rmdir "$found/$name" 2>/dev/null
    done
    cp "$root/LICENSE" "$found/Apache-2.0.txt"
    for name in GPL-3 LGPL-3; do
        cp "/usr/share/common-licenses/$name" "$found/$name.txt" || die 2 "needs base-files of Debian"
    done
    {
        if [ "$natives_licence" = GPL-3.0-or-later ]; then
            cat "$root/deploy/package/NOTICE.gpl"
        else
            cat "$root/deploy/package/NOTICE.lgpl"
        fi
        cat "$root/deploy/package/NOTICE.all"
        jq -r '.components[] | [([.group, .name] | map(select(. != null and . != "")) | join(":")), .version,
            ((.licenses // []) | map(.expression // .license.id // .license.name) | join(", ")
                | if . == "" then "see licenses/" else . end)] | "\(.[0]) \(.[1]): \(.[2])"' \
            "$scratch/sbom.json" | LC_ALL=C sort -u
    } >"$1/doc/NOTICE"
}

# pack FOLDER NAMES...: a tar of it on standard output.
pack() {
    local folder=$1
    shift
    tar --create --format=gnu --sort=name --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --clamp-mtime \
        -C "$folder" "$@"
}

# finish FILE: the SBOM beside it, and its line.
finish() {
    cp "${2:-$scratch/sbom.json}" "$1.cdx.json"
    end_progress
    printf '%s  %s MiB\n' "${1#"$root/"}" "$(($(stat -c %s "$1") / 1048576))"
}

# --- tar -----------------------------------------------------------------------------------------

package_tar() {
    local name=touchline-$version file=$packages/touchline-$version-linux-x64.tar.gz
    progress "packing ${file##*/}"
    mkdir -p "$scratch/tar" && cp -a "$scratch/touchline" "$scratch/tar/$name"
    cat >"$scratch/tar/$name/bin/package.conf" <<'CONF'
# The first start makes the AOT cache, where this folder can be written.
aot=$root/cache/server.aot
prepare_first=yes
CONF
    cp "$root/deploy/touchline.service" "$scratch/tar/$name/doc/"
    same_times "$scratch/tar"
    pack "$scratch/tar" --owner=0 --group=0 "$name" | gzip -n -6 >"$file" || die 1 "cannot write $file"
    rm -rf "$scratch/tar"
    finish "$file"
}

# --- deb -----------------------------------------------------------------------------------------

package_deb() {
    local to=$scratch/deb file=$packages/touchline_${version}_amd64.deb parts=$root/deploy/package/deb
    local doc=usr/share/doc/touchline
    progress "packing ${file##*/}"
    mkdir -p "$to"/{DEBIAN,etc/touchline,usr/bin,usr/lib/systemd/system} \
        "$to/$doc" "$to/usr/share/man/man1" "$to/usr/share/lintian/overrides"
    cp -al "$scratch/touchline" "$to/usr/lib/touchline"
    mv "$to/usr/lib/touchline/doc"/* "$to/$doc/" && rmdir "$to/usr/lib/touchline/doc"
    cat >"$to/usr/lib/touchline/bin/package.conf" <<'CONF'
config=/etc/touchline/touchline.yaml
aot=/var/cache/touchline/server.aot
CONF
    ln -s ../lib/touchline/bin/touchline "$to/usr/bin/touchline"
    cp "$root/deploy/touchline.service" "$to/usr/lib/systemd/system/"
    cp "$root/deploy/package/touchline.yaml" "$to/etc/touchline/"
    gzip -n -9 <"$parts/touchline.1" >"$to/usr/share/man/man1/touchline.1.gz"
    cp "$parts/lintian-overrides" "$to/usr/share/lintian/overrides/touchline"
    sed "s/@NATIVES@/$natives_licence/" "$parts/copyright" >"$to/$doc/copyright"
    printf 'touchline (%s) unstable; urgency=medium\n\n  * Built from commit of %s.\n\n -- %s  %s\n' \
        "$version" "$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)" \
        "$(sed -n 's/^Maintainer: //p' "$parts/control")" \
        "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -n -9 >"$to/$doc/changelog.gz"
    chmod -R u=rwX,go=rX "$to/etc" "$to/usr/share" "$to/usr/lib/systemd" "$to/usr/lib/touchline/bin"
    sed -e "s/@VERSION@/$version/" -e "s/@SIZE@/$(du -sk --apparent-size "$to" | cut -f1)/" \
        "$parts/control" >"$to/DEBIAN/control"
    cp "$parts"/{postinst,prerm,postrm,config,templates} "$to/DEBIAN/"
    chmod 755 "$to/DEBIAN"/{postinst,prerm,postrm,config}
    echo /etc/touchline/touchline.yaml >"$to/DEBIAN/conffiles"
    (cd "$to" && find etc usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    same_times "$to"
    # Most of it is jars, which do not get smaller: the first level, and one thread for the same bytes.
    dpkg-deb --root-owner-group -Zxz -z1 --threads-max=1 --build "$to" "$file" >"$work/deb.log" 2>&1 ||
        die 1 "dpkg-deb failed ($work/deb.log)"
    rm -rf "$to"
    finish "$file"
}

# --- image ---------------------------------------------------------------------------------------

package_image() {
    local to=$scratch/image file=$packages/touchline-$version-oci.tar layout=$scratch/image/layout
    local base=$scratch/image/base full=$scratch/image/full own=$scratch/image/own
    mkdir -p "$base" "$full" "$own" "$layout/blobs/sha256"
    progress "making the image's Debian ($image_debian)"
    debian "$base" ca-certificates,libstdc++6,tzdata
    progress "making the image's browser"
    debian "$full" ca-certificates,libstdc++6,tzdata,chromium-headless-shell
    progress "packing ${file##*/}"
    layers=()
    pack "$base" . >"$to/layer.tar" && add_layer "$to/layer.tar" "Debian $image_debian"
    changed_files "$base" "$full" >"$to/changed"
    pack "$full" --no-recursion --null -T "$to/changed" >"$to/layer.tar" &&
        add_layer "$to/layer.tar" "Chromium"
    image_files "$full" "$own"
    pack "$own" . >"$to/layer.tar" && add_layer "$to/layer.tar" "Touchline $version"
    training_in "$full" "$own" "$to/aot" && pack "$to/aot" --owner=0 --group=0 usr >"$to/layer.tar" &&
        add_layer "$to/layer.tar" "AOT cache"
    write_manifest
    image_bill "$full" >"$to/sbom.json"
    find "$layout" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    tar --create --format=ustar --sort=name --owner=0 --group=0 --numeric-owner \
        -C "$layout" --file "$file" blobs index.json oci-layout || die 1 "cannot write $file"
    finish "$file" "$to/sbom.json"
    rm -rf "$to"
}

# debian FOLDER PACKAGES: a Debian with nothing but the essential packages and these.
debian() {
    local log=$work/mmdebstrap.log
    mmdebstrap --quiet --variant=essential --mode=root --format=tar --include="$2" \
        --aptopt='APT::Install-Recommends "false"' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        "$image_debian" - \
        "deb $image_mirror/debian $image_debian main" \
        "deb $image_mirror/debian $image_debian-updates main" \
        "deb $image_mirror/debian-security $image_debian-security main" 2>"$log" |
        tar --extract --numeric-owner --preserve-permissions --exclude='./dev/*' -C "$1"
    [ "${PIPESTATUS[0]}${PIPESTATUS[1]}" = 00 ] || die 2 "mmdebstrap failed ($log)"
}

# listing FOLDER: lines of each file: everything but its time, and its contents.
listing() (
    cd "$1" || exit 1
    {
        find . -printf '%p\t%y %m %U %G %l\n'
        find . -type f -print0 | xargs -0 sha256sum | sed -E 's/^([0-9a-f]{64})  (.*)$/\2\t\1/'
    } | LC_ALL=C sort
)

# changed_files BEFORE AFTER: the names of what is new or different, each ended by a zero byte.
changed_files() {
    LC_ALL=C comm -13 <(listing "$1") <(listing "$2") | cut -f1 | LC_ALL=C sort -u | tr '\n' '\0'
}

# image_files DEBIAN FOLDER: the installation, its user and its volume.
image_files() {
    local user="touchline:x:$image_user:$image_user:Touchline:/data:/usr/sbin/nologin"
    mkdir -p "$2"/{etc,usr/bin,usr/lib,usr/share/doc,data}
    cp -al "$scratch/touchline" "$2/usr/lib/touchline"
    mv "$2/usr/lib/touchline/doc" "$2/usr/share/doc/touchline"
    cat >"$2/usr/lib/touchline/bin/package.conf" <<'CONF'
aot=$root/server.aot
# The root is read-only.
temporary=${TOUCHLINE_DATA_DIR:-/data}/.tmp
CONF
    ln -s ../lib/touchline/bin/touchline "$2/usr/bin/touchline"
    { cat "$1/etc/passwd" && echo "$user"; } >"$2/etc/passwd"
    { cat "$1/etc/group" && echo "touchline:x:$image_user:"; } >"$2/etc/group"
    same_times "$2"
    chown -R -h 0:0 "$2"
    chown "$image_user:$image_user" "$2/data" && chmod 700 "$2/data"
}

# training_in DEBIAN INSTALLATION FOLDER: the AOT cache, made inside the image's files: it is for these
# paths, this Java and these times. An image without it starts more slowly.
training_in() {
    local root_folder=$1 made=$3/usr/lib/touchline
    cp -a "$2/." "$root_folder/" && mkdir -p "$made" || return 1
    mkdir -p "$root_folder/proc" "$root_folder/dev" "$root_folder/tmp"
    # The namespaces end with the process: nothing stays mounted.
    unshare --mount --pid --fork --kill-child bash -c '
        mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/dev" && mkdir -p "$1/dev/shm" &&
        for each in null:3 zero:5 full:7 random:8 urandom:9; do
            mknod -m 666 "$1/dev/${each%:*}" c 1 "${each#*:}"
        done
        chown "$2:$2" "$1/data" && cd / &&
        exec chroot --userspec="$2:$2" "$1" env -i PATH=/usr/bin:/bin HOME=/data TMPDIR=/data \
            /usr/bin/touchline prepare /data/server.aot' - "$root_folder" "$image_user" \
        >"$work/train-image.log" 2>&1
    if ! [ -s "$root_folder/data/server.aot" ]; then
        note "the image has no AOT cache ($work/train-image.log)"
        return 1
    fi
    install -m 644 "$root_folder/data/server.aot" "$made/server.aot"
    same_times "$3"
}

# blob FILE: moves it into the layout; prints its descriptor without a type.
blob() {
    local digest size
    digest=$(sha256sum "$1" | cut -d' ' -f1) && size=$(stat -c %s "$1")
    mv "$1" "$layout/blobs/sha256/$digest"
    jq -cn --arg digest "sha256:$digest" --argjson size "$size" '{$digest, $size}'
}

# add_layer TAR TEXT
add_layer() {
    local content
    content=sha256:$(sha256sum "$1" | cut -d' ' -f1)
    gzip -n -6 "$1" || die 1 "cannot write $1"
    layers+=("$(blob "$1.gz" | jq -c --arg content "$content" --arg text "$2" '. + {$content, $text}')")
}

# write_manifest: configuration, manifest and index (OCI image format specification 1.0).
write_manifest() {
    local created config manifest
    created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)
    printf '%s\n' "${layers[@]}" | jq -S -s --arg created "$created" --arg version "$version" \
        --arg user "$image_user:$image_user" --arg licence "$natives_licence" '{
        architecture: "amd64", os: "linux", created: $created,
        config: {
            User: $user, WorkingDir: "/data", Entrypoint: ["/usr/bin/touchline"], Cmd: ["serve"],
            Env: ["PATH=/usr/bin:/bin", "HOME=/data", "LANG=C.UTF-8", "TOUCHLINE_DATA_DIR=/data",
                "TOUCHLINE_API_HOST=0.0.0.0"],
            ExposedPorts: {"1935/tcp": {}, "8080/tcp": {}, "8081/tcp": {}},
            Volumes: {"/data": {}}, StopSignal: "SIGTERM",
            Healthcheck: {Test: ["CMD", "/usr/bin/touchline", "health"],
                Interval: 15000000000, Timeout: 10000000000, StartPeriod: 60000000000, Retries: 3},
            Labels: {"org.opencontainers.image.title": "Touchline",
                "org.opencontainers.image.version": $version,
                "org.opencontainers.image.licenses": ("Apache-2.0 AND " + $licence)}},
        rootfs: {type: "layers", diff_ids: map(.content)},
        history: map({created: $created, created_by: .text})}' >"$to/config.json"
    config=$(blob "$to/config.json")
    printf '%s\n' "${layers[@]}" | jq -S -s --argjson config "$config" '{
        schemaVersion: 2, mediaType: "application/vnd.oci.image.manifest.v1+json",
        config: ($config + {mediaType: "application/vnd.oci.image.config.v1+json"}),
        layers: map({mediaType: "application/vnd.oci.image.layer.v1.tar+gzip", digest, size})}' \
        >"$to/manifest.json"
    manifest=$(blob "$to/manifest.json")
    jq -S -n --argjson manifest "$manifest" --arg version "$version" '{
        schemaVersion: 2, mediaType: "application/vnd.oci.image.index.v1+json",
        manifests: [$manifest + {mediaType: "application/vnd.oci.image.manifest.v1+json",
            platform: {architecture: "amd64", os: "linux"},
            annotations: {"org.opencontainers.image.ref.name": "latest",
                "io.containerd.image.name": "docker.io/library/touchline:latest"}}]}' >"$layout/index.json"
    echo '{"imageLayoutVersion":"1.0.0"}' >"$layout/oci-layout"
}

# image_bill DEBIAN: the SBOM with the image's Debian packages; their licences lie in /usr/share/doc.
image_bill() {
    dpkg-query --admindir="$1/var/lib/dpkg" -W -f '${Package}\t${Version}\t${Architecture}\n' |
        jq -R -s --arg debian "$image_debian" 'split("\n") | map(select(. != "") | split("\t") | {
            "bom-ref": "pkg:deb/debian/\(.[0])@\(.[1])?arch=\(.[2])&distro=\($debian)",
            type: "library", name: .[0], version: .[1],
            purl: "pkg:deb/debian/\(.[0])@\(.[1])?arch=\(.[2])&distro=\($debian)"})' >"$to/debian.json"
    jq -S --slurpfile debian "$to/debian.json" '.components += $debian[0] | .components |= sort_by(.["bom-ref"])' \
        "$scratch/sbom.json"
}
