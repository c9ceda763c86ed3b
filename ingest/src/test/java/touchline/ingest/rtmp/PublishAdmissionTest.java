package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import touchline.ingest.PublishGate;
import touchline.ingest.rtmp.PublishAdmission.Outcome;
import touchline.ingest.rtmp.PublishAdmission.Refused;

/** A gate that cannot decide, as that of a node that was declared dead and ends. */
class PublishAdmissionTest {
    private static final PublishGate FAILING =
            _ -> {
                throw new IllegalStateException("no database");
            };

    private final PublishAdmission admission = new PublishAdmission(FAILING, Runnable::run);
    private final List<Outcome> outcomes = new ArrayList<>();

    private List<RtmpCounters.Refusal> refusals() {
        Function<Outcome, RtmpCounters.Refusal> refusal = it -> ((Refused) it).refusal();
        return outcomes.stream().map(refusal).toList();
    }

    @Test
    void encoder_isRefused() {
        admission.ask(List.of("key"), outcomes::add);

        assertEquals(List.of(RtmpCounters.Refusal.GATE_FAILED), refusals());
    }

    /** The node that relays it looks for the owner again, and holds the encoder meanwhile. */
    @Test
    void relayedEncoder_isSentElsewhere() {
        admission.askRelayed("key", outcomes::add);

        assertEquals(List.of(RtmpCounters.Refusal.NOT_OWNER), refusals());
    }
}
