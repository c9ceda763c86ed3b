package touchline.overlay.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The protocol against a fake browser that answers each request with a given text. */
class DevToolsPipeTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private final PipedOutputStream browser = new PipedOutputStream();
    private DevToolsPipe pipe;

    /** The browser's answer to each request. */
    private interface Answer {
        void give(OutputStream to) throws IOException;
    }

    private Answer answer = _ -> {};

    @BeforeEach
    void open() throws IOException {
        pipe =
                DevToolsPipe.open(
                        new PipedInputStream(browser),
                        new OutputStream() {
                            @Override
                            public void write(int oneByte) throws IOException {
                                assertEquals(0, oneByte);
                                answer.give(browser);
                                browser.flush();
                            }

                            @Override
                            public void write(byte[] bytes) {
                                requests.add(new String(bytes, UTF_8));
                            }
                        });
    }

    @AfterEach
    void close() throws IOException {
        browser.close();
    }

    private static Answer text(String text) {
        return to -> to.write(text.replace('|', '\0').getBytes(UTF_8));
    }

    private JsonNode call(Duration atMost) throws InterruptedException {
        return pipe.call("page", "Some.method", Map.of("key", "ü"), atMost);
    }

    @Test
    void call_answered_returnsTheResult_andSendsMethodSessionAndParameters() throws Exception {
        answer = text("{\"id\":1,\"result\":{\"value\":7}}|");

        assertEquals(7, call(LONG).path("value").asInt());
        assertEquals(
                List.of(
                        "{\"id\":1,\"method\":\"Some.method\",\"params\":{\"key\":\"ü\"},\"sessionId\":\"page\"}"),
                requests);
    }

    @Test
    void reply_cutAtEveryByte_isPutTogether() throws Exception {
        byte[] bytes = "{\"id\":1,\"result\":{\"value\":\"ü\"}}\0".getBytes(UTF_8);
        answer =
                to -> {
                    for (byte each : bytes) {
                        to.write(each);
                        to.flush();
                    }
                };

        assertEquals("ü", call(LONG).path("value").asText());
    }

    @Test
    void call_refused_throwsWithTheMethodAndTheReason() {
        answer = text("{\"id\":1,\"error\":{\"code\":-32601,\"message\":\"wasn't found\"}}|");

        var thrown = assertThrows(DevToolsException.class, () -> call(LONG));
        assertEquals("Some.method: wasn't found", thrown.getMessage());
    }

    @Test
    void call_withoutAnswer_throwsInTime_andALateReplyIsDropped() throws Exception {
        var thrown = assertThrows(DevToolsException.class, () -> call(Duration.ofMillis(1)));
        assertEquals("Some.method: no answer within PT0.001S", thrown.getMessage());

        answer = text("{\"id\":1,\"result\":{}}|{\"id\":2,\"result\":{\"value\":2}}|");
        assertEquals(2, call(LONG).path("value").asInt());
    }

    @Test
    void browserEnds_whileACallWaits_bothItAndLaterCallsThrow() throws Exception {
        answer = OutputStream::close;
        var thrown = assertThrows(DevToolsException.class, () -> call(LONG));
        assertEquals("Some.method: the browser has ended", thrown.getMessage());

        assertEquals("the browser has ended", pipe.ended().get(20, TimeUnit.SECONDS));
        assertThrows(DevToolsException.class, () -> call(LONG));
    }

    @Test
    void junkInsteadOfJson_endsThePipe() {
        answer = text("Opening in existing session|");
        var thrown = assertThrows(DevToolsException.class, () -> call(LONG));
        assertTrue(thrown.toString().contains("pipe broke"), thrown::toString);
    }

    @Test
    void events_betweenReplies_reachListenersUntilTheyAreRemoved() throws Exception {
        List<DevToolsPipe.Event> events = Collections.synchronizedList(new ArrayList<>());
        String event = "{\"method\":\"Page.loaded\",\"sessionId\":\"page\",\"params\":{\"at\":3}}|";
        Consumer<DevToolsPipe.Event> listener = events::add;
        pipe.addListener(listener);
        answer = text(event + "{\"id\":1,\"result\":{}}|");
        call(LONG);
        pipe.removeListener(listener);
        answer = text(event + "{\"id\":2,\"result\":{}}|");
        call(LONG);

        assertEquals(1, events.size());
        assertEquals("page", events.getFirst().session());
        assertEquals("Page.loaded", events.getFirst().method());
        assertEquals(3, events.getFirst().parameters().path("at").asInt());
    }

    @Test
    void browserThatReadsNoMore_blocksNoCaller() throws Exception {
        CountDownLatch reads = new CountDownLatch(1);
        answer =
                _ -> {
                    try {
                        reads.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                };
        for (int i = 0; i < 3; i++) {
            var thrown = assertThrows(DevToolsException.class, () -> call(Duration.ofMillis(1)));
            assertTrue(thrown.timedOut(), thrown::toString);
        }
        // More unread requests than the limit are rejected.
        for (int i = 0; i < 2000; i++) {
            pipe.send("page", "Some.method", Map.of());
        }
        var refused = assertThrows(DevToolsException.class, () -> call(LONG));
        assertTrue(refused.toString().contains("takes no more requests"), refused::toString);

        pipe.failRequests("page");
        reads.countDown();
    }

    @Test
    void frame_isLentAsItLies_andTheRestIsRead() throws Exception {
        List<String> events = Collections.synchronizedList(new ArrayList<>());
        pipe.addListener(
                event ->
                        events.add(
                                UTF_8.decode(event.data())
                                        + " "
                                        + event.parameters().path("sessionId").asInt()
                                        + " "
                                        + event.session()));
        answer =
                text(
                        "{\"method\":\"Page.screencastFrame\",\"params\":{\"data\":\"AAAA\",\"sessionId\":4},\"sessionId\":\"p\"}|{\"id\":1,\"result\":{}}|");
        call(LONG);

        assertEquals(List.of("AAAA 4 p"), events);
    }

    @Test
    void message_ofSixtyFiveMebibytes_endsThePipe() {
        byte[] part = new byte[1 << 20];
        Arrays.fill(part, (byte) ' ');
        answer =
                to -> {
                    try {
                        for (int i = 0; i < 65; i++) {
                            to.write(part);
                        }
                    } catch (IOException _) {
                        // The reader has closed the pipe, as expected.
                    }
                };
        var thrown = assertThrows(DevToolsException.class, () -> call(LONG));
        assertTrue(thrown.toString().contains("(<= 67108864)"), thrown::toString);
    }
}
