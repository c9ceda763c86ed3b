package touchline.media.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
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

    /** In a JVM of its own, since it stays. */
    @Test
    void optimizer_isBelowTheOtherThreads() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process jvm =
                new ProcessBuilder(
                                java,
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Lowered.class.getName())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        String shown = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int before = niceness();

        assertEquals(0, jvm.waitFor());
        assertEquals(
                "%d %d".formatted(before, Math.min(LOWEST, before + 5)),
                shown.lines().toList().getLast());
    }

    /** Shows the nice values of its own thread and of C2. */
    static final class Lowered {
        private Lowered() {}

        public static void main(String[] args) throws IOException {
            ThreadPriority.lowerOptimizer();
            try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
                Path optimizer =
                        threads.filter(thread -> name(thread).startsWith("C2 Compiler"))
                                .findFirst()
                                .orElseThrow();
                System.out.printf("%d %d%n", niceness(), niceness(optimizer));
            }
        }

        private static String name(Path thread) {
            try {
                return Files.readString(thread.resolve("comm"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
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
        return niceness(Path.of("/proc/thread-self"));
    }

    private static int niceness(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Integer.parseInt(fields[16]);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
