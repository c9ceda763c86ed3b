package touchline.media.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** A child process with job kinds that fail in different ways. */
final class TestWorkerMain {
    /** Reports of the job "steps". */
    static final int STEPS = 10_000;

    private TestWorkerMain() {}

    public static void main(String[] arguments) {
        if (!List.of(arguments).equals(List.of("worker"))) {
            throw new IllegalArgumentException("arguments: " + List.of(arguments));
        }
        Worker.serve(
                Map.ofEntries(
                        Map.entry("echo", (body, _) -> body),
                        Map.entry("steps", TestWorkerMain::steps),
                        Map.entry("refuse", TestWorkerMain::refuse),
                        Map.entry("bug", TestWorkerMain::bug),
                        Map.entry("halt", TestWorkerMain::halt),
                        Map.entry("heap", TestWorkerMain::heap),
                        Map.entry("native", TestWorkerMain::nativeMemory),
                        Map.entry("loop", TestWorkerMain::loop),
                        Map.entry("noise", TestWorkerMain::noise),
                        Map.entry("garbage", TestWorkerMain::garbage),
                        Map.entry("connect", TestWorkerMain::connect),
                        Map.entry("attack", TestWorkerMain::attack),
                        Map.entry("map", TestWorkerMain::map),
                        Map.entry("state", TestWorkerMain::state)));
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static JsonNode steps(JsonNode body, WorkerProgress progress) {
        for (int i = 0; i < STEPS; i++) {
            progress.at((double) i / STEPS);
        }
        return body;
    }

    private static JsonNode refuse(JsonNode body, WorkerProgress progress)
            throws WorkerJobException {
        throw new WorkerJobException(1003, "invalid input file");
    }

    private static JsonNode bug(JsonNode body, WorkerProgress progress) {
        throw new IllegalStateException("internal words");
    }

    private static JsonNode halt(JsonNode body, WorkerProgress progress) {
        System.err.println("last\u001b[31m words");
        Runtime.getRuntime().halt(body.path("status").asInt());
        return body;
    }

    private static JsonNode heap(JsonNode body, WorkerProgress progress) {
        List<byte[]> hog = new ArrayList<>();
        while (hog.size() < 10_000) {
            hog.add(new byte[1 << 20]);
        }
        return object().put("got", hog.size());
    }

    private static JsonNode nativeMemory(JsonNode body, WorkerProgress progress) {
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < 64; i++) {
                arena.allocate(64L << 20, 64).fill((byte) 1);
            }
        }
        return object().put("got", "4 GiB");
    }

    private static JsonNode loop(JsonNode body, WorkerProgress progress) {
        progress.at(0.1);
        while (body != null) {
            LockSupport.parkNanos(1_000_000);
        }
        return object();
    }

    private static JsonNode noise(JsonNode body, WorkerProgress progress) {
        for (int i = 0; i < 5_000; i++) {
            System.out.println("a library prints this");
        }
        System.err.print("x".repeat(200_000));
        System.err.flush();
        return body;
    }

    private static JsonNode garbage(JsonNode body, WorkerProgress progress) throws IOException {
        try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
            byte[] text = body.path("text").asText().getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < body.path("times").asInt(); i++) {
                out.write(text);
            }
            out.flush();
            return loop(body, progress);
        }
    }

    private static JsonNode connect(JsonNode body, WorkerProgress progress) {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(
                            InetAddress.getLoopbackAddress(), body.path("port").asInt()),
                    2000);
            return object().put("connected", true);
        } catch (IOException e) {
            return object().put("connected", false);
        }
    }

    /** What hostile media would try. */
    private static JsonNode attack(JsonNode body, WorkerProgress progress) {
        ObjectNode reached = object();
        for (JsonNode file : body.path("read")) {
            reached.put("read " + file.asText(), reads(Path.of(file.asText())));
        }
        for (JsonNode file : body.path("write")) {
            reached.put("write " + file.asText(), writes(Path.of(file.asText())));
        }
        reached.put("link", links(Path.of("link")));
        reached.put("signal", signals(body.path("server").asLong()));
        return reached.put("port", connect(body, progress).path("connected").asBoolean());
    }

    private static boolean reads(Path file) {
        try {
            return Files.readAllBytes(file).length > 0;
        } catch (IOException _) {
            return false;
        }
    }

    private static boolean writes(Path file) {
        try {
            Files.writeString(file, "x");
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private static boolean links(Path link) {
        try {
            Files.delete(Files.createSymbolicLink(link, Path.of("/")));
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /** Signal 0 changes nothing: the kernel only checks the right to send it. */
    private static boolean signals(long process) {
        return new Syscalls().attempt(62, process, 0) == 0;
    }

    /** Memory that both sides map. */
    private static JsonNode map(JsonNode body, WorkerProgress progress) throws IOException {
        Path given = Path.of(body.path("given").asText());
        try (FileChannel in =
                        FileChannel.open(given, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileChannel out =
                        FileChannel.open(
                                Path.of("made"),
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE)) {
            byte first = in.map(FileChannel.MapMode.READ_WRITE, 0, 4096).get(0);
            out.map(FileChannel.MapMode.READ_WRITE, 0, 4096).put(0, (byte) (first + 1));
        }
        return object().put("made", Path.of("made").toAbsolutePath().toString());
    }

    private static JsonNode state(JsonNode body, WorkerProgress progress) throws IOException {
        ObjectNode found = object();
        ObjectNode environment = found.putObject("environment");
        System.getenv().forEach(environment::put);
        String stat = Files.readString(Path.of("/proc/self/stat"));
        // proc_pid_stat(5): niceness is the 19th field, the 17th after the name.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        found.put("nice", Integer.parseInt(fields[16]));
        found.put("oom", Files.readString(Path.of("/proc/self/oom_score_adj")).strip());
        found.put("limits", Files.readString(Path.of("/proc/self/limits")));
        found.put("dir", Path.of("").toAbsolutePath().toString());
        found.put("tmp", System.getProperty("java.io.tmpdir"));
        return found;
    }
}
