package touchline.api.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import touchline.api.db.LeaseHolder;

/**
 * Identifies processes of this host by {@code /proc}: start of the kernel, namespace of process
 * ids, process id, start of the process. An identity is never used again. A server on a shared
 * database adds the id of its data folder. Any thread.
 */
final class HostProcess {
    private static final int PARTS = 4;

    private static final int NODE_LENGTH = 32;

    /** Behind the parts of the process. */
    private static final int FOLDER = 4;

    /** Of the fields behind the name: state, and start in ticks since the kernel's start. */
    private static final int STATE = 0;

    private static final int START = 19;

    private final Path proc;

    /**
     * @param proc the folder {@code /proc}
     */
    HostProcess(Path proc) {
        this.proc = proc;
    }

    /**
     * This server, as others see it in a shared database.
     *
     * @param folder id of the data folder; empty where it has none
     */
    static LeaseHolder holder(Path dataDir, String folder) {
        HostProcess host = new HostProcess(Path.of("/proc"));
        String process = host.identity();
        return new LeaseHolder(
                host.name(dataDir),
                process.isEmpty() || folder.isEmpty() ? process : process + " " + folder,
                host::isGone,
                identity -> isOfFolder(identity, folder));
    }

    /** Whether a process worked in this folder. */
    static boolean isOfFolder(String identity, String folder) {
        String[] parts = identity.split(" ", -1);
        return !folder.isEmpty() && parts.length > FOLDER && parts[FOLDER].equals(folder);
    }

    /** The identity of this process; empty where the host does not say it. */
    String identity() {
        long id = ProcessHandle.current().pid();
        try {
            return host() + " " + id + " " + stat(id).get(START);
        } catch (IOException _) {
            return "";
        }
    }

    /** Whether the process of an identity ran on this host and has ended, without a doubt. */
    boolean isGone(String identity) {
        String[] parts = identity.split(" ", -1);
        try {
            // Where not even the first process is visible, a missing one proves nothing.
            if (parts.length < PARTS
                    || !host().equals(parts[0] + " " + parts[1])
                    || stat(1).isEmpty()) {
                return false;
            }
            return ended(Long.parseLong(parts[2]), parts[3]);
        } catch (IOException | NumberFormatException _) {
            return false;
        }
    }

    private boolean ended(long id, String start) throws IOException {
        try {
            List<String> fields = stat(id);
            return "ZX".contains(fields.get(STATE)) || !fields.get(START).equals(start);
        } catch (NoSuchFileException _) {
            return true;
        }
    }

    private String host() throws IOException {
        String boot = Files.readString(proc.resolve("sys/kernel/random/boot_id")).strip();
        String namespace = Files.readSymbolicLink(proc.resolve("self/ns/pid")).toString();
        return boot + " " + namespace;
    }

    /** The fields behind the name, which itself may hold blanks and parentheses (proc(5)). */
    private List<String> stat(long id) throws IOException {
        String text = Files.readString(proc.resolve(id + "/stat"));
        List<String> fields =
                List.of(text.substring(text.lastIndexOf(')') + 1).strip().split(" +"));
        if (fields.size() <= START) {
            throw new IOException("stat: " + fields.size() + " fields (expected: > " + START + ")");
        }
        return fields;
    }

    /** The name of this host, with the characters that a node's id may have. */
    static String nodeName() {
        String name =
                new HostProcess(Path.of("/proc")).hostName().replaceAll("[^A-Za-z0-9.-]", "-");
        String whole = name.matches("[A-Za-z0-9].*") ? name : "node-" + name;
        return whole.substring(0, Math.min(whole.length(), NODE_LENGTH));
    }

    private String name(Path dataDir) {
        return "%s (process %d, data folder %s)"
                .formatted(hostName(), ProcessHandle.current().pid(), dataDir);
    }

    /** The name of this host, as its kernel says. */
    String hostName() {
        try {
            return Files.readString(proc.resolve("sys/kernel/hostname")).strip();
        } catch (IOException _) {
            return "on an unknown host";
        }
    }
}
