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
 * The unprivileged system user of the browser, if the server runs as root. The browser has no
 * capabilities or groups and cannot regain them. Immutable, any thread.
 *
 * @param group of the user, by number
 */
public record BrowserUser(String name, int group) {
    private static final int ID_TIMEOUT_SECONDS = 10;
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    /** Whether this process runs as root, so that the browser must run as another user. */
    public static boolean needed() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException | UnsupportedOperationException _) {
            return false;
        }
    }

    /**
     * The user of this name, if it exists and {@code setpriv} is installed (util-linux, part of
     * every Debian).
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
            if (!process.waitFor(ID_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
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

    /** Makes this user the owner of a folder. */
    void makeOwner(Path folder) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(folder, PosixFileAttributeView.class);
        view.setOwner(
                folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name));
    }

    /**
     * Prefix of a command of root that keeps its rights but one: Chromium gives some of its threads
     * a higher priority than the server's where it may (capabilities(7), CAP_SYS_NICE). Empty
     * without {@code setpriv}.
     */
    static List<String> rootWithoutPriority() {
        return Files.isExecutable(SETPRIV)
                ? List.of(SETPRIV.toString(), "--inh-caps=-sys_nice", "--bounding-set=-sys_nice")
                : List.of();
    }

    /**
     * Prefix of a command that runs as this user.
     *
     * @param permanently whether setuid programs cannot raise rights again; the setuid sandbox
     *     needs false
     */
    List<String> command(boolean permanently) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                SETPRIV.toString(),
                                "--reuid=" + name,
                                "--regid=" + group,
                                "--clear-groups",
                                "--inh-caps=-all"));
        if (permanently) {
            command.add("--no-new-privs");
            command.add("--bounding-set=-all");
        }
        return command;
    }
}
