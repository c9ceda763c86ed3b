package touchline.media.worker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Tries a sandbox with {@link SandboxCheck}. One thread. */
final class SandboxProbe {
    private static final long SECONDS = 20;
    private static final int OUTPUT_BYTES = 4_096;

    private final WorkerLaunch launch;
    private final WorkerIsolation isolation;

    SandboxProbe(WorkerLaunch launch, WorkerIsolation isolation) {
        this.launch = launch;
        this.isolation = isolation;
    }

    /** Whether this process runs as root. */
    static boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException | UnsupportedOperationException _) {
            return false;
        }
    }

    /** Why a worker cannot use the sandbox; empty if it can. */
    String failure() throws InterruptedException {
        try {
            Path secret = Files.createTempFile(launch.workDir(), "secret", "");
            try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
                Files.writeString(secret, "x");
                return failure(reached(secret, server.getLocalPort()));
            } finally {
                Files.deleteIfExists(secret);
            }
        } catch (IOException e) {
            return e.toString();
        }
    }

    private String failure(String reached) {
        Set<String> all = new HashSet<>(List.of(reached.strip().split(" ", -1)));
        if (!all.contains(SandboxCheck.OWN)) {
            return "not usable: " + reached;
        }
        boolean open = all.contains(SandboxCheck.FILE) || all.contains(SandboxCheck.PROCESS);
        return all.contains(SandboxCheck.NETWORK) || (isolation.sandbox().isWall() && open)
                ? "reached: " + reached
                : "";
    }

    private String reached(Path secret, int port) throws IOException, InterruptedException {
        WorkerFolder folder = WorkerFolder.create(launch.workDir(), isolation.sandbox());
        try {
            Files.writeString(folder.job().resolve("given"), "x");
            folder.share();
            List<String> check = new ArrayList<>(launch.command(folder.job(), folder.libraries()));
            // Instead of the main class of workers and its argument.
            check.removeLast();
            check.removeLast();
            check.add(SandboxCheck.class.getName());
            check.add(secret.toString());
            check.add(Long.toString(ProcessHandle.current().pid()));
            check.add(Integer.toString(port));
            return output(
                    WorkerProcess.spawn(
                            isolation.command(launch, check, folder, WorkerFiles.NONE), folder));
        } finally {
            folder.remove();
        }
    }

    private static String output(Process process) throws IOException, InterruptedException {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                return "no reply";
            }
            byte[] bytes =
                    process.exitValue() == 0
                            ? process.getInputStream().readNBytes(OUTPUT_BYTES)
                            : process.getErrorStream().readNBytes(OUTPUT_BYTES);
            return new String(bytes, StandardCharsets.UTF_8);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().onExit().join();
        }
    }
}
