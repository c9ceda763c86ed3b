package touchline.api.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Worker processes of the servers in this JVM, known by the size of their heap. */
final class ChildJvms {
    /** Of a decoding process. */
    static final int DECODING_MIB = 96;

    /** Of a process of clips, and of the other jobs. */
    static final int JOBS_MIB = 256;

    private ChildJvms() {}

    /** Those that run; where they have namespaces, the process inside. */
    static List<ProcessHandle> withHeap(int mebibytes) {
        String heap = "-Xmx" + (mebibytes << 20);
        return ProcessHandle.current()
                .descendants()
                .filter(each -> each.isAlive() && each.children().findAny().isEmpty())
                .filter(each -> arguments(each).contains(heap))
                .toList();
    }

    private static List<String> arguments(ProcessHandle process) {
        try {
            String line = Files.readString(Path.of("/proc", process.pid() + "", "cmdline"));
            return List.of(line.split("\0"));
        } catch (IOException _) {
            // It has ended.
            return List.of();
        }
    }
}
