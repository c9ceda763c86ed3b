# shellcheck shell=bash
# What ./touchline and the launcher of the packages (deploy/package/touchline) share: messages, the JVM
# and its options, the training run. Sourced. The launcher sets:
#   jdk   folder of the Java runtime        dist  folder with lib/*.jar
#   root  the installation (touchline.home) aot   file of the AOT cache, which need not exist

note() { printf 'touchline: %s\n' "$*" >&2; }

# die CODE TEXT...
die() {
    local code=$1
    shift
    note "$@"
    exit "$code"
}

# progress TEXT...: a line that the next one replaces; where stderr is no terminal, a line of its own.
progress() {
    if [ -t 2 ]; then
        printf '\r\033[Ktouchline: %s' "$*" >&2
    else
        note "$*"
    fi
}

end_progress() {
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

# need PROGRAM-OR-FILE=PACKAGE...: installs the packages of what is missing, or says how and ends.
need() {
    local pair missing=() as_root=()
    for pair in "$@"; do
        [ -e "${pair%%=*}" ] || command -v "${pair%%=*}" >/dev/null || missing+=("${pair#*=}")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    local line="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
    command -v apt-get >/dev/null || die 2 "needs ${missing[*]}, and there is no apt-get to install them"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; } ||
            die 2 "needs ${missing[*]}; as root: $line"
        as_root=(sudo)
    fi
    note "installing ${missing[*]}"
    mkdir -p "$work"
    "${as_root[@]}" apt-get -q update >"$work/apt.log" 2>&1 &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get -q install -y --no-install-recommends "${missing[@]}" >>"$work/apt.log" 2>&1 ||
        die 2 "apt-get failed ($work/apt.log); as root: $line"
}

# split_arguments ARGUMENTS...: sets command, and arguments: the others. --config FILE may stand before the
# command as well.
split_arguments() {
    local before=()
    case ${1:-} in
        --config)
            [ $# -ge 2 ] || die 2 "--config needs a file"
            before=("$1" "$2")
            shift 2
            ;;
        --config=*)
            before=("$1")
            shift
            ;;
    esac
    command=${1:-}
    [ $# -eq 0 ] || shift
    arguments=("${before[@]}" "$@")
}

# run_java MAIN_CLASS ARGUMENTS...: becomes the JVM.
run_java() {
    local class_path cache=()
    # One order in every locale: the AOT cache is for one class path.
    class_path=$(LC_ALL=C && printf '%s:' "$dist/lib"/*.jar)
    [ ! -s "$aot" ] || cache=(-XX:AOTCache="$aot")
    # glibc would keep a heap per thread; two are enough and save idle memory. A cache that does not
    # fit this JVM is passed over in silence.
    exec "${clean[@]}" env CLASSPATH="${class_path%:}" MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}" \
        "$jdk/bin/java" "${jvm[@]}" "${cache[@]}" '-Xlog:cds*=off' '-Xlog:aot*=off' \
        --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
        -Djava.awt.headless=true -Dtouchline.home="$root" \
        -Dorg.bytedeco.javacpp.maxBytes=0 -Dorg.bytedeco.javacpp.maxPhysicalBytes=0 \
        -Dorg.bytedeco.javacpp.nopointergc=true \
        -Dai.djl.offline=true -Dai.djl.pytorch.graph_optimizer=false \
        -Dai.djl.pytorch.num_interop_threads=1 \
        "$@"
}

# For a server: half of the memory at most; a JVM without memory ends rather than limps, since what is on
# disk is always whole.
server_jvm=(-XX:+UseG1GC -XX:MaxRAMPercentage=50 -XX:MaxGCPauseMillis=50 -XX:+UseCompactObjectHeaders
    -XX:+ExitOnOutOfMemoryError)
# The heap begins small, and is given back after each concurrent cycle: one a minute when idle, and when the
# server asks for one. Survivors have room, since live media dies within seconds: without it they would fill
# the old generation. Native memory is given back too. docs/performance.md has what each of these brings.
server_jvm+=(-XX:MinHeapSize=64m -XX:InitialHeapSize=96m -XX:NewSize=48m -XX:SurvivorRatio=1
    -XX:TargetSurvivorRatio=90 -XX:G1HeapRegionSize=1m -XX:GCTimeRatio=4 -XX:MinHeapFreeRatio=10
    -XX:MaxHeapFreeRatio=30 -XX:G1PeriodicGCInterval=60000 -XX:+ExplicitGCInvokesConcurrent
    -XX:TrimNativeHeapInterval=30000)
# Netty's leak detection is for tests: it costs 2 % of a busy event loop. JDK_JAVA_OPTIONS can set it.
[[ ${JDK_JAVA_OPTIONS-} == *leakDetection* ]] || server_jvm+=(-Dio.netty.leakDetection.level=disabled)
# For a command that ends at once.
brief_jvm=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+UseCompactObjectHeaders)
# What stands before the JVM's command: nothing but for the training.
clean=()

# train LOG OPTIONS...: runs a server with a publisher and viewers for some seconds. The JVM writes a
# cache of loaded classes and hot methods (JEP 514, 515) to $aot, which later starts map. The cache is
# optional. Fails if there is none in the end.
train() (
    log=$1
    shift
    progress "training run for fast starts, about 20 s"
    jvm=("${server_jvm[@]}" "$@" -XX:AOTCacheOutput="$aot.new")
    clean=(timeout 180 env -i PATH="$PATH" HOME="${HOME:-/}")
    if (run_java touchline.api.app.Main train) >"$log" 2>&1; then
        # The JVM makes it readable for its owner alone; workers of a server of root have another user.
        chmod 644 "$aot.new" 2>/dev/null
        mv "$aot.new" "$aot" 2>/dev/null
    fi
    rm -f "$aot".new*
    end_progress
    [ -s "$aot" ]
)
