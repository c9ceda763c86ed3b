package touchline.media.decoding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.foreign.Arena;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import touchline.media.worker.Worker;
import touchline.media.worker.WorkerHandler;
import touchline.media.worker.WorkerProgress;

/** A child that decodes, but for access units of certain decode times. */
final class FaultyDecodingMain {
    static final long EATS_MEMORY = 1_000_001;
    static final long HANGS = 1_000_002;
    static final long ENDS = 1_000_003;
    static final long LIES = 1_000_004;

    private FaultyDecodingMain() {}

    public static void main(String[] arguments) {
        WorkerHandler handler = new DecodeHandler();
        Worker.serve(
                Map.of(
                        DecodeHandler.KIND,
                        (body, progress) -> {
                            long dtsTicks = body.path("units").path(0).path(0).asLong();
                            fail(dtsTicks);
                            if (dtsTicks == LIES) {
                                return frameThatIsNotThere();
                            }
                            return handled(handler, body, progress);
                        }));
    }

    private static JsonNode handled(WorkerHandler handler, JsonNode body, WorkerProgress progress)
            throws Exception {
        return handler.handle(body, progress);
    }

    private static JsonNode frameThatIsNotThere() {
        ObjectNode reply = JsonNodeFactory.instance.objectNode();
        reply.putObject("frame")
                .put("width", 8_192)
                .put("height", 8_192)
                .put("aspect", 1.0)
                .put("pts", 0)
                .putArray("strides")
                .add(8_192)
                .add(4_096)
                .add(4_096);
        return reply;
    }

    private static void fail(long dtsTicks) {
        if (dtsTicks == EATS_MEMORY) {
            try (Arena arena = Arena.ofConfined()) {
                for (int i = 0; i < 64; i++) {
                    arena.allocate(64L << 20, 64).fill((byte) 1);
                }
            }
        }
        while (dtsTicks == HANGS) {
            LockSupport.parkNanos(1_000_000);
        }
        if (dtsTicks == ENDS) {
            Runtime.getRuntime().halt(139);
        }
    }
}
