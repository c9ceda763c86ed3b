package touchline.api.app;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import touchline.config.ServerConfig;
import touchline.media.store.DiskSpace;

/** Checks of the host: Java, memory, open files, disk, clock. One thread. */
final class HostChecks {
    private static final int JAVA = 25;
    private static final long LITTLE_MEMORY_BYTES = 1L << 30;
    private static final int OWN_FILES = 1_000;
    private static final double GIB = 1L << 30;

    private final ServerConfig config;
    private final InstantSource clock;
    private final Path limits;

    HostChecks(ServerConfig config) {
        this(config, InstantSource.system(), Path.of("/proc/self/limits"));
    }

    /**
     * @param limits the kernel's list of limits of this process
     */
    HostChecks(ServerConfig config, InstantSource clock, Path limits) {
        this.config = config;
        this.clock = clock;
        this.limits = limits;
    }

    List<Finding> run() {
        return List.of(java(), memory(), openFiles(), disk(), time());
    }

    private static Finding java() {
        String found = "%s, %s".formatted(Runtime.version(), System.getProperty("java.home"));
        String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (Runtime.version().feature() != JAVA) {
            return Finding.fail("java", found, "install a JDK " + JAVA);
        }
        if (!machine.equals("Linux amd64")) {
            return Finding.fail("java", found + ", " + machine, "run on Linux on x86-64");
        }
        return Finding.ok("java", found);
    }

    private static Finding memory() {
        long heap = Runtime.getRuntime().maxMemory();
        long installed = heap;
        if (ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean host) {
            installed = host.getTotalMemorySize();
        }
        String text =
                "%d processors, %.1f GiB of memory"
                        .formatted(Runtime.getRuntime().availableProcessors(), installed / GIB);
        return installed < LITTLE_MEMORY_BYTES
                ? Finding.warn("memory", text, "give it 1 GiB or more")
                : Finding.ok("memory", text);
    }

    /** The JVM raises the soft limit to the hard one. */
    Finding openFiles() {
        long wanted =
                (long) config.rtmp().maxConnections()
                        + config.playback().maxConnections()
                        + OWN_FILES;
        try {
            Optional<String> line =
                    Files.readAllLines(limits).stream()
                            .filter(each -> each.startsWith("Max open files"))
                            .findFirst();
            String[] cells = line.orElse("").strip().split(" {2,}", -1);
            if (cells.length < 3) {
                return Finding.warn("open files", "limit not known", "");
            }
            String hard = cells[2];
            if (hard.equals("unlimited") || Long.parseLong(hard) >= wanted) {
                return Finding.ok("open files", "up to " + hard);
            }
            return Finding.warn(
                    "open files",
                    "up to %s, but the max-connections settings need %d in total"
                            .formatted(hard, wanted),
                    "raise it: `ulimit -Hn`, or LimitNOFILE= of the service");
        } catch (IOException | NumberFormatException e) {
            return Finding.warn("open files", "limit not known: " + e, "");
        }
    }

    private Finding disk() {
        Path folder = config.dataDir();
        while (!Files.exists(folder) && folder.getParent() != null) {
            folder = folder.getParent();
        }
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            return Finding.fail(
                    "disk",
                    config.dataDir() + " cannot be written",
                    "set data-dir, or give this user the right to write to " + folder);
        }
        try {
            DiskSpace space = DiskSpace.of(folder);
            DiskSpace.Least least = DataFolder.leastFree(config);
            String text =
                    String.format(
                            Locale.ROOT,
                            "%s, %.1f GiB%s free",
                            config.dataDir(),
                            space.freeBytes() / GIB,
                            space.freeInodes() == Long.MAX_VALUE
                                    ? ""
                                    : ", %d inodes".formatted(space.freeInodes()));
            if (!space.isBelow(least)) {
                return Finding.ok("disk", text);
            }
            return Finding.warn(
                    "disk",
                    text,
                    space.freeBytes() < least.bytes()
                            ? "recording stops below storage.min-free: free some space"
                            : "recording stops below storage.min-free-inodes: delete files");
        } catch (IOException e) {
            return Finding.warn("disk", config.dataDir() + ": free space not known: " + e, "");
        }
    }

    /** Tokens expire and playlists contain dates: with a wrong clock viewers are rejected. */
    Finding time() {
        Instant now = clock.instant();
        Instant built = builtAt();
        String text = now.truncatedTo(ChronoUnit.SECONDS).toString();
        if (now.isBefore(built)) {
            return Finding.fail(
                    "clock",
                    "%s, but this build is of %s"
                            .formatted(text, built.truncatedTo(ChronoUnit.SECONDS)),
                    "set the clock: signed addresses and tokens depend on it");
        }
        String synchronised =
                HostProgram.output(
                                Duration.ofSeconds(5),
                                "timedatectl",
                                "show",
                                "--property=NTPSynchronized",
                                "--value")
                        .orElse("");
        return synchronised.equals("no")
                ? Finding.warn("clock", text + ", not synchronised", "enable an NTP service")
                : Finding.ok("clock", text + (synchronised.equals("yes") ? ", synchronised" : ""));
    }

    /** The time at which the running classes were built. */
    private static Instant builtAt() {
        try {
            Path code =
                    Path.of(
                            HostChecks.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI());
            return Files.getLastModifiedTime(code).toInstant();
        } catch (IOException | java.net.URISyntaxException _) {
            return Instant.EPOCH;
        }
    }
}
