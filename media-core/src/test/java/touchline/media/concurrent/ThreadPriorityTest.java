package touchline.media.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class ThreadPriorityTest {
    private static final int LOWEST = 19;

    @Test
    void lower_isBelowWhatTheThreadHad_andOfThisThreadOnly() throws Exception {
        int before = niceness();
        CompletableFuture<List<Integer>> found = new CompletableFuture<>();
        Thread.ofPlatform()
                .start(() -> found.completeAsync(ThreadPriorityTest::lowered, Runnable::run));

        assertEquals(
                List.of(Math.min(LOWEST, before + 2), Math.min(LOWEST, before + 5)), found.get());
        assertEquals(before, niceness());
    }

    private static List<Integer> lowered() {
        List<Integer> found = new ArrayList<>();
        ThreadPriority.lower(2);
        found.add(niceness());
        ThreadPriority.lower(3);
        found.add(niceness());
        return found;
    }

    /** proc_pid_stat(5): the 19th field, the 17th after the name. */
    private static int niceness() {
        try {
            String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Integer.parseInt(fields[16]);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
