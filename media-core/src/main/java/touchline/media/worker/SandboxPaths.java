package touchline.media.worker;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import touchline.media.ffmpeg.Ffmpeg;

/**
 * Paths of the host that every worker needs: the JDK, the class path, libraries, and devices.
 * Immutable.
 *
 * @param readable files and folders that exist
 * @param devices device files that exist
 */
record SandboxPaths(List<Path> readable, List<Path> devices) {
    private static final Path USR = Path.of("/usr");
    private static final String AOT_CACHE = "-XX:AOTCache=";
    private static final List<String> CONFIGURATION =
            List.of("/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives");
    private static final List<String> ALL_DEVICES =
            List.of("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom");

    SandboxPaths {
        readable = List.copyOf(readable);
        devices = List.copyOf(devices);
    }

    /**
     * @param withGpu whether the worker encodes on a graphics card
     */
    static SandboxPaths of(WorkerLaunch launch, boolean withGpu) {
        Set<Path> readable = new LinkedHashSet<>();
        readable.add(USR);
        Path bin = launch.jvm().java().toAbsolutePath().getParent();
        add(
                readable,
                bin == null || bin.getParent() == null ? launch.jvm().java() : bin.getParent());
        for (String each : launch.jvm().classPath().split(File.pathSeparator, -1)) {
            if (!each.isEmpty()) {
                add(readable, Path.of(each));
            }
        }
        for (String each : launch.jvm().arguments()) {
            if (each.startsWith(AOT_CACHE)) {
                add(readable, Path.of(each.substring(AOT_CACHE.length())));
            }
        }
        add(readable, codeOfMain());
        add(readable, libraries());
        CONFIGURATION.forEach(each -> add(readable, Path.of(each)));
        // Where the JDK is the distribution's, its configuration lies there.
        addMatching(readable, Path.of("/etc"), "java*");
        Set<Path> devices = new LinkedHashSet<>();
        ALL_DEVICES.forEach(each -> add(devices, Path.of(each)));
        if (withGpu) {
            addMatching(devices, Path.of("/dev"), "nvidia*");
            add(devices, Path.of("/dev/dri"));
        }
        return new SandboxPaths(new ArrayList<>(readable), new ArrayList<>(devices));
    }

    /** The start of a command that runs a class of this package for a tenth of a second. */
    static List<String> helper(Path java, Class<?> main) {
        return List.of(
                java.toString(),
                "-Xshare:auto",
                "-Xmx32m",
                "-XX:+UseSerialGC",
                // Compiling would cost more than it saves.
                "-Xint",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                codeOfMain().toString(),
                main.getName());
    }

    /** The folder into which FFmpeg's libraries are unpacked. */
    static Path libraries() {
        return Ffmpeg.folder();
    }

    /** The class path of {@link SandboxMain} and {@link EmptyNetworkMain}. */
    private static Path codeOfMain() {
        try {
            return Path.of(
                    SandboxMain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("class path", e);
        }
    }

    private static void addMatching(Set<Path> paths, Path folder, String glob) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, glob)) {
            all.forEach(each -> add(paths, each));
        } catch (IOException _) {
            // There is no such folder: nothing to add.
        }
    }

    private static void add(Set<Path> paths, Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        if (Files.exists(absolute) && !absolute.startsWith(USR)) {
            paths.add(absolute);
        }
    }
}
