package touchline.overlay.page;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A user of this system whom a server that runs as root starts the browser as: without any right,
 * group or way back. Immutable, any thread.
 *
 * @param group of the user, by number
 */
public record BrowserUser(String name, int group) {
    private static final int PATIENCE_SECONDS = 10;
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    /** Whether this process runs as root, so that a browser must run as somebody else. */
    public static boolean needed() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException | UnsupportedOperationException _) {
            return false;
        }
    }

    /**
     * A user of this name, if there is one and the system has what it takes to become it (Debian's
     * util-linux, which every installation has).
     */
    public static Optional<BrowserUser> find(String name) throws InterruptedException {
        if (!Files.isExecutable(SETPRIV)) {
            return Optional.empty();
        }
        try {
            Process process =
                    new ProcessBuilder("id", "-g", name)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return Optional.empty();
            }
            String group =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.exitValue() == 0
                    ? Optional.of(new BrowserUser(name, Integer.parseInt(group.strip())))
                    : Optional.empty();
        } catch (IOException | NumberFormatException _) {
            return Optional.empty();
        }
    }

    /** Makes a folder this user's and nobody else's. */
    void own(Path folder) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(folder, PosixFileAttributeView.class);
        view.setOwner(
                folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name));
    }

    /**
     * What stands before a command that runs as this user.
     *
     * @param forGood whether no program may give rights back; the setuid sandbox needs that
     */
    List<String> command(boolean forGood) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                SETPRIV.toString(),
                                "--reuid=" + name,
                                "--regid=" + group,
                                "--clear-groups",
                                "--inh-caps=-all"));
        if (forGood) {
            command.add("--no-new-privs");
            command.add("--bounding-set=-all");
        }
        return command;
    }
}
