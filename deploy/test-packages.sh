#!/usr/bin/env bash
# `./touchline package check [12|13|lintian|image]...`: tries the packages in dist/ (the newest of each) where
# nothing else of Touchline is: on a fresh Debian made by mmdebstrap, and in the unpacked image. It runs as
# root and needs some minutes. Every line is a check; it ends with 1 if one failed. In namespaces of their own
# the servers reach no network, and nothing of the host.
set -uo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
work=$root/target/touchline
. "$root/deploy/launcher.sh"

mirror=${TOUCHLINE_DEBIAN_MIRROR:-http://deb.debian.org}
faults=0

# --- inside the namespaces: this script runs itself as `inside TASK FOLDER` -----------------------------

# as_user FOLDER COMMAND...: with FOLDER as the root, as the service's user and with nothing but it. By
# pivot_root: in a chroot Linux denies user namespaces.
as_user() {
    local folder=$1
    shift
    exec unshare --mount --propagation private bash -c '
        cd "$1" && pivot_root . dev/host && cd / && chroot dev/host umount -l / && shift &&
        exec /usr/bin/setpriv --reuid=touchline --regid=touchline --init-groups --no-new-privs \
            --bounding-set=-all --inh-caps=-all /usr/bin/env -i "$@"' - \
        "$folder" PATH=/usr/bin:/bin HOME="$home" $environment "$@"
}

now_ms() { echo $(($(date +%s%N) / 1000000)); }

# until_true SECONDS COMMAND...: prints the seconds that it took.
until_true() {
    local limit=$1 started
    shift
    started=$(now_ms)
    until "$@" >/dev/null 2>&1; do
        [ $(($(now_ms) - started)) -lt $((limit * 1000)) ] || return 1
        sleep 0.02
    done
    printf '%d.%02d s\n' $((($(now_ms) - started) / 1000)) $((($(now_ms) - started) % 1000 / 10))
}

ready() { curl -fs -m 2 http://127.0.0.1:8080/observe/health/ready; }

# on_the_air ADDRESS: whether its first media playlist has a part or a segment.
on_the_air() {
    local list
    list=$(curl -fs -m 5 "$1" | grep -v '^#' | head -n 1) && [ -n "$list" ] &&
        curl -fs -m 5 "$(dirname "$1")/$list" | grep -q -e '#EXT-X-PART:' -e '#EXTINF:'
}

# api PATH [CURL-ARGUMENTS...]
api() {
    local path=$1
    shift
    curl -fs -m 10 -H "Authorization: Bearer $token" "$@" "http://127.0.0.1:8080$path"
}

moderated() { api "/audit/v1/records/moderation-records?limit=1" | jq -e ".total > 0"; }
clip_is_ready() { [ "$(api "/video-streams/v1/assets/$clip" | jq -r .data.status)" = ready ]; }

# serves FOLDER COMMAND...: starts it twice and stops it; the second time with warm files.
serves() {
    local folder=$1 pid turn seconds
    shift
    for turn in first second; do
        (as_user "$folder" "$@") >"$logs/serve.log" 2>&1 &
        pid=$!
        if seconds=$(until_true 60 ready); then
            echo "ok $turn start: ready after $seconds"
            echo "ok resident memory then: $(awk '/VmRSS/ { print int($2 / 1024) }' "/proc/$pid/status") MiB"
        else
            echo "FAIL $turn start: not ready"
            tail -n 20 "$logs/serve.log"
        fi
        kill -TERM "$pid"
        wait "$pid" && echo "ok SIGTERM: exit code 0" || echo "FAIL SIGTERM: exit code $?"
    done
}

# demonstrates FOLDER COMMAND...: stream, overlay, moderation and a clip, by the demo.
demonstrates() {
    local folder=$1 pid address seconds stream asset
    shift
    (as_user "$folder" "$@") >"$logs/demo.log" 2>&1 &
    pid=$!
    until_true 60 grep -q '  metrics ' "$logs/demo.log" >/dev/null
    address=$(awk '$1 == "HLS" { print $2 }' "$logs/demo.log")
    token=$(awk '$1 == "token" { print $2 }' "$logs/demo.log")
    if seconds=$(until_true 60 on_the_air "$address"); then
        echo "ok demo: on the air $seconds after its addresses were printed"
    else
        echo "FAIL demo: not on the air"
        tail -n 20 "$logs/demo.log"
    fi
    stream=$(api /live/v1/live-streams | jq -r '.data[0].id')
    echo "info scoreboard: $(api "/live/v1/live-streams/$stream" | jq -c '.data.watermark // .data.overlay // .data.generate_watermark // empty' | cut -c1-160)"
    echo "info browser: $(api /system/v1/host | jq -c '.data.isolation.browser // empty' | cut -c1-160)"
    seconds=$(until_true 60 moderated) && echo "ok moderation: a record after $seconds" || echo "FAIL moderation: no record"
    asset=$(api "/live/v1/live-streams/$stream" | jq -r '.data.recent_asset_ids[0] // empty')
    clip=$(api /video-streams/v1/video/clip -X POST -H 'Content-Type: application/json' \
        -d "{\"asset_id\":\"$asset\",\"start_time\":1,\"end_time\":4}" | jq -r '.data.asset_id // .data.id // empty')
    seconds=$(until_true 60 clip_is_ready) && echo "ok clip: ready after $seconds" || echo "FAIL clip: ${clip:-none} of ${asset:-no asset}"
    grep -i -e 'worker processes' -e 'WARN' "$logs/demo.log" | sed 's/^/info /' | cut -c1-200 | head -n 8
    kill -TERM "$pid"
    wait "$pid" && echo "ok SIGTERM: exit code 0" || echo "FAIL SIGTERM: exit code $?"
}

# inside TASK FOLDER
inside() {
    local task=$1 folder=$2
    mount -t proc proc /proc && ip link set lo up && mount --bind "$folder" "$folder" || exit 1
    logs=$(mktemp -d)
    mount -t proc proc "$folder/proc" && devices "$folder" || exit 1
    case $task in
        deb)
            home=/var/lib/touchline environment=
            mount -t tmpfs tmpfs "$folder/tmp"
            # The unit's command, as the unit's user. There is no systemd in a root directory.
            serves "$folder" $(sed -n 's/^ExecStart=//p' "$folder/usr/lib/systemd/system/touchline.service")
            demonstrates "$folder" touchline demo
            ;;
        image)
            home=/data environment=$(jq -r '.config.Env[]' "$3" | tr '\n' ' ')
            mount --bind "$folder/data" "$folder/data" && mount -o remount,bind,ro "$folder" || exit 1
            (as_user "$folder" bash -c 'for each in / /usr/ /etc/ /tmp/ /var/tmp/ /run/; do ! touch "${each}x" || exit 0; done; exit 1') \
                >/dev/null 2>&1 &&
                echo "FAIL the root is writable" || echo "ok the root is read-only"
            serves "$folder" touchline serve
            demonstrates "$folder" touchline demo
            ;;
    esac
    rm -rf "$logs"
}

devices() {
    mount -t tmpfs -o mode=755 tmpfs "$1/dev" && mkdir -p "$1/dev/shm" && chmod 1777 "$1/dev/shm"
    local each
    for each in null:3 zero:5 full:7 random:8 urandom:9; do
        mknod -m 666 "$1/dev/${each%:*}" c 1 "${each#*:}"
    done
    ln -s /proc/self/fd "$1/dev/fd"
    # For the old root, until it is left.
    mkdir "$1/dev/host"
}

# --- outside ------------------------------------------------------------------------------------------

check() {
    if "${@:2}" >/dev/null 2>&1; then
        echo "ok $1"
    else
        echo "FAIL $1"
    fi
}

newest() { ls -t "$root/dist"/$1 2>/dev/null | head -n 1; }

# in_namespaces TASK FOLDER...
in_namespaces() {
    unshare --mount --pid --net --ipc --uts --fork --kill-child "$root/deploy/test-packages.sh" inside "$@"
}

# online COMMAND: in $folder as root, with the network. host COMMAND: without it.
online() {
    unshare --mount --pid --fork --kill-child bash -c 'mount -t proc proc "$1/proc" &&
        exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive HOME=/root \
            bash -c "$2"' - "$folder" "$1"
}

host() {
    unshare --net bash -c 'ip link set lo up && "$@"' - "$root/deploy/test-packages.sh" online "$folder" "$1"
}

# newer DEB FILE: the same package under a newer version, with another jar, so that the AOT cache does not fit.
newer() {
    local tree=$work/check/newer jar
    rm -rf "$tree" && dpkg-deb -R "$1" "$tree" &&
        sed -i 's/^Version: .*/&+next/' "$tree/DEBIAN/control" || return 1
    jar=$(ls "$tree"/usr/lib/touchline/lib/touchline-api-*.jar) && touch -d '2001-01-01' "$jar" &&
        sed -i '/touchline-api-.*[.]jar$/d' "$tree/DEBIAN/md5sums" &&
        dpkg-deb --root-owner-group -Zgzip -z1 -b "$tree" "$2" && rm -rf "$tree"
}

# on_debian NUMBER NAME: install, run, upgrade, remove, install again, purge.
on_debian() {
    local deb folder=$work/check/debian-$1 started
    deb=$(newest 'touchline_*_amd64.deb')
    [ -n "$deb" ] || die 2 "no dist/touchline_*_amd64.deb: ./touchline package deb"
    echo "info Debian $1 ($2), $(basename "$deb")"
    rm -rf "$folder" && mkdir -p "$folder"
    mmdebstrap --quiet --variant=apt --mode=root "$2" "$folder" \
        "deb $mirror/debian $2 main" "deb $mirror/debian $2-updates main" \
        "deb $mirror/debian-security $2-security main" 2>"$work/check/mmdebstrap.log" ||
        { echo "FAIL mmdebstrap ($work/check/mmdebstrap.log)" && return; }
    cp "$deb" "$folder/tmp/touchline.deb" && cp /etc/resolv.conf "$folder/etc/resolv.conf"
    online "apt-get -q update" >"$work/check/apt.log" 2>&1
    started=$(now_ms)
    online "apt-get -q install -y /tmp/touchline.deb" >>"$work/check/apt.log" 2>&1 &&
        echo "ok apt install: $((($(now_ms) - started) / 1000)) s with the download of the dependencies" ||
        { echo "FAIL apt install ($work/check/apt.log)" && return; }
    echo "info installed: $(du -sm --apparent-size "$folder/usr/lib/touchline" | cut -f1) MiB in /usr/lib/touchline, packages $(host "dpkg-query -W" | wc -l)"
    check "no compiler, no Maven" eval '! host "command -v javac gcc mvn || ls /usr/lib/touchline/runtime/bin/javac"'
    check "the user touchline, no root" host "id touchline"
    check "/var/lib/touchline is private" host '[ "$(stat -c %U:%a /var/lib/touchline)" = touchline:700 ]'
    check "the configuration is a conffile, not readable for others" \
        host 'dpkg-query -W -f "\${Conffiles}" touchline | grep -q touchline.yaml && [ "$(stat -c %U:%G:%a /etc/touchline/touchline.yaml)" = root:touchline:640 ]'
    check "the AOT cache was made on install, by root" host '[ "$(stat -c %U /var/cache/touchline/server.aot)" = root ]'
    check "man page and help" host 'touchline help | grep -q doctor && [ -s /usr/share/man/man1/touchline.1.gz ]'
    in_namespaces deb "$folder"
    # Over a server that runs, with a configuration that was edited.
    newer "$deb" "$folder/tmp/newer.deb" >"$work/check/newer.log" 2>&1 || echo "FAIL a newer package ($work/check/newer.log)"
    check "an upgrade ends the old server, keeps data and edited configuration, and makes the AOT cache again" \
        host 'echo "# edited" >>/etc/touchline/touchline.yaml && sum=$(sha256sum /var/lib/touchline/admin-secret) &&
              touch -d 2001-01-01 /var/cache/touchline/server.aot || exit 1
              setpriv --reuid=touchline --regid=touchline --init-groups env HOME=/var/lib/touchline touchline serve >/dev/null 2>&1 &
              until touchline health >/dev/null 2>&1; do sleep 0.2; done
              apt-get -q install -y /tmp/newer.deb </dev/null && ! ls -l /proc/[0-9]*/exe 2>/dev/null | grep -q /usr/lib/touchline &&
              dpkg-query -W -f "\${Version}" touchline | grep -q "+next" && grep -qx "# edited" /etc/touchline/touchline.yaml &&
              [ "$(stat -c %U:%G:%a /etc/touchline/touchline.yaml)" = root:touchline:640 ] &&
              [ "$(sha256sum /var/lib/touchline/admin-secret)" = "$sum" ] && [ "$(stat -c %U:%a /var/lib/touchline)" = touchline:700 ] &&
              [ "$(stat -c %U:%a /var/cache/touchline/server.aot)" = root:644 ] && [ /var/cache/touchline/server.aot -nt /var/lib/dpkg/info/touchline.prerm ]'
    check "the new version serves the data, with its AOT cache" \
        host '(setpriv --reuid=touchline --regid=touchline --init-groups env HOME=/var/lib/touchline touchline serve >/tmp/serve.log 2>&1 &)
              until touchline health >/dev/null 2>&1; do sleep 0.2; done
              for each in /proc/[0-9]*; do
                  case $(readlink "$each/exe") in /usr/lib/touchline/*) break ;; esac
              done
              grep -q server.aot "$each/maps"; code=$?
              kill -TERM "${each#/proc/}"; while [ -d "$each" ]; do sleep 0.2; done; exit $code'
    check "apt remove keeps data and configuration" \
        host 'apt-get -q remove -y touchline && [ -d /var/lib/touchline ] && [ -f /etc/touchline/touchline.yaml ]'
    check "apt install again continues" host 'apt-get -q install -y /tmp/newer.deb && ls /var/lib/touchline/admin-secret'
    # A server that was started by hand ends with the package.
    check "apt purge ends a running server and keeps the data where nothing was answered" \
        host 'setpriv --reuid=touchline --regid=touchline --init-groups env HOME=/var/lib/touchline touchline serve >/dev/null 2>&1 &
              until touchline health >/dev/null 2>&1; do sleep 0.2; done
              apt-get -q purge -y touchline && ! ls -l /proc/[0-9]*/exe 2>/dev/null | grep -q /usr/lib/touchline && [ -d /var/lib/touchline ]'
    check "apt purge removes the data where the answer is yes" \
        host 'apt-get -q install -y /tmp/touchline.deb && echo "touchline touchline/remove-data boolean true" | debconf-set-selections &&
              apt-get -q purge -y touchline && ! [ -e /var/lib/touchline ] && ! id touchline'
    echo "info left behind: $(find "$folder" -xdev -path "$folder/proc" -prune -o -name '*touchline*' -print | grep -v /tmp/ | sed "s|$folder||" | tr '\n' ' ')"
    rm -rf "$folder"
}

check_lintian() {
    local deb
    deb=$(newest 'touchline_*_amd64.deb')
    [ -n "$deb" ] || die 2 "no dist/touchline_*_amd64.deb: ./touchline package deb"
    need lintian=lintian
    lintian --tag-display-limit 0 "$deb" >"$work/check/lintian.log" 2>&1
    grep -c '^W:' "$work/check/lintian.log" | sed 's/^/info lintian warnings: /'
    check "lintian has no errors ($work/check/lintian.log)" eval '! grep -q "^E:" "$work/check/lintian.log"'
}

check_image() {
    local image folder=$work/check/image config
    image=$(newest 'touchline-*-oci.tar')
    [ -n "$image" ] || die 2 "no dist/touchline-*-oci.tar: ./touchline package image"
    need umoci=umoci skopeo=skopeo jq=jq
    echo "info $(basename "$image")"
    rm -rf "$folder" && mkdir -p "$folder/layout"
    tar -xf "$image" -C "$folder/layout"
    skopeo inspect "oci:$folder/layout:latest" >"$folder/inspect.json" &&
        echo "ok skopeo reads the image" || echo "FAIL skopeo"
    skopeo inspect --config "oci:$folder/layout:latest" >"$folder/config.json"
    config=$folder/config.json
    check "ports, volume, user, health check" jq -e '.config | (.User | startswith("0") | not)
        and .User == "10001:10001" and (.ExposedPorts | keys == ["1935/tcp", "8080/tcp", "8081/tcp"])
        and .Volumes == {"/data": {}} and .Healthcheck.Test[2] == "health"' \
        <(jq --slurpfile health <(jq .config.Healthcheck "$folder/layout/blobs/sha256/$(jq -r '.manifests[0].digest[7:]' "$folder/layout/index.json" | xargs -I{} jq -r '.config.digest[7:]' "$folder/layout/blobs/sha256/{}")") '.config.Healthcheck = $health[0]' "$config")
    umoci unpack --image "$folder/layout:latest" "$folder/bundle" >"$work/check/umoci.log" 2>&1 &&
        echo "ok umoci unpacks it" || { echo "FAIL umoci ($work/check/umoci.log)" && return; }
    in_namespaces image "$folder/bundle/rootfs" "$config"
    rm -rf "$folder"
}

case ${1:-} in
    inside)
        shift
        inside "$@"
        exit
        ;;
    online)
        folder=$2
        online "$3"
        exit
        ;;
esac
[ "$(id -u)" -eq 0 ] || die 2 "package check needs root: mmdebstrap, chroot and namespaces"
need mmdebstrap=mmdebstrap curl=curl jq=jq ip=iproute2
mkdir -p "$work/check"
[ $# -gt 0 ] || set -- lintian 12 13 image
: >"$work/check/results"
for task in "$@"; do
    case $task in
        12) on_debian 12 bookworm ;;
        13) on_debian 13 trixie ;;
        lintian) check_lintian ;;
        image) check_image ;;
        *) die 2 "package check: $task (expected: lintian, 12, 13 or image)" ;;
    esac
done 2>&1 | tee "$work/check/results"
stopped=${PIPESTATUS[0]}
faults=$(grep -c '^FAIL' "$work/check/results")
echo "$faults failed"
[ "$stopped" -eq 0 ] && [ "$faults" -eq 0 ]
