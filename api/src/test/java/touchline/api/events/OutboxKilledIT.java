package touchline.api.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.app.ServerClasses;
import touchline.api.egress.RawReceiver;
import touchline.testing.Await;

/** A server that is killed while it records and sends events loses none and mixes none up. */
final class OutboxKilledIT {
    /**
     * The last one hits a server that has recovered from a kill, with a queue, and records. A long
     * loop: {@code -Dtouchline.test.kills=30}.
     */
    private static final int KILLS = Integer.getInteger("touchline.test.kills", 2);

    private static final int RATE = 200;
    private static final int EVENTS_EACH = 250;

    @TempDir private Path folder;

    private final RawReceiver receiver = new RawReceiver(RawReceiver.status(200));
    private final Random random = new Random(20261121);

    @AfterEach
    void close() {
        receiver.close();
    }

    @Test
    @Timeout(480)
    void kill_atAnyMoment_everyCommittedEventArrivesInOrder() throws Exception {
        Set<String> committed = new LinkedHashSet<>();
        for (int i = 0; i < KILLS; i++) {
            int enough = 1 + random.nextInt(EVENTS_EACH);
            Process server = start(RATE);
            try (BufferedReader out = server.inputReader()) {
                assertEquals("ready", next(out));
                for (int event = 0; event < enough; event++) {
                    committed.add(next(out));
                }
                // By its handle: the process would close what it printed.
                server.toHandle().destroyForcibly();
                server.waitFor();
                // What was printed in the last moments was committed as well.
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    if (line.matches(">evt_[0-9A-Za-z]+")) {
                        committed.add(line.substring(1));
                    }
                }
            } finally {
                server.destroyForcibly().waitFor();
            }
        }
        Process last = start(0);
        // Or it would block, in the middle of its work, on an unread log.
        Thread.ofVirtual().start(() -> last.inputReader().lines().forEach(_ -> {}));
        try {
            Await.until(() -> received().containsAll(committed));
        } finally {
            last.destroyForcibly().waitFor();
        }

        assertOrder();
        assertTrue(committed.size() > KILLS, () -> committed.size() + " events");
    }

    /** Numbers never go back within a stream, and one id is one body. */
    private void assertOrder() throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        Map<String, Long> lastSeq = new HashMap<>();
        Map<String, String> bodies = new HashMap<>();
        for (RawReceiver.Request request : receiver.requests()) {
            JsonNode body = mapper.readTree(request.body());
            String id = request.header("webhook-id");
            assertEquals(id, body.get("id").textValue());
            String known = bodies.putIfAbsent(id, request.body());
            assertTrue(known == null || known.equals(request.body()), id);
            String stream = body.at("/data/live_stream_id").textValue();
            long seq = body.at("/data/seq").longValue();
            long before = lastSeq.getOrDefault(stream, 0L);
            assertTrue(
                    seq == before || seq == before + 1,
                    () -> stream + ": " + seq + " after " + before);
            lastSeq.put(stream, seq);
        }
    }

    private Set<String> received() {
        Set<String> ids = new HashSet<>();
        receiver.requests().forEach(request -> ids.add(request.header("webhook-id")));
        return ids;
    }

    private Process start(int rate) throws IOException {
        List<String> command = ServerClasses.command();
        command.add(OutboxLoop.class.getName());
        command.add(folder.toString());
        command.add(receiver.url("/hook").toString());
        command.add(Integer.toString(rate));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    /** Output of the child process, without its log. */
    private static String next(BufferedReader out) throws IOException {
        while (true) {
            String line = out.readLine();
            if (line == null) {
                throw new AssertionError("the child ended");
            }
            if (line.startsWith(">")) {
                return line.substring(1);
            }
        }
    }
}
