package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import touchline.media.worker.WorkerIsolation;
import touchline.media.worker.WorkerSandbox;
import touchline.overlay.page.BrowserFacts;

final class HostReportTest {
    private static JsonNode browser(boolean sandboxed, boolean ownNetwork) {
        BrowserFacts facts =
                new BrowserFacts(
                        Path.of("/opt/browser"),
                        "Chrome/1",
                        sandboxed,
                        Optional.of("nobody"),
                        ownNetwork,
                        true);
        return new HostReport(
                        HostSamples.facts(),
                        new WorkerIsolation(true, true, WorkerSandbox.NONE, false),
                        Optional.of(facts))
                .json(Instant.EPOCH)
                .at("/isolation/browser");
    }

    @Test
    void browser_hasItsIsolation() {
        JsonNode isolated = browser(true, true);

        assertEquals("Chrome/1", isolated.get("version").textValue());
        assertTrue(isolated.get("sandbox").booleanValue());
        assertTrue(isolated.get("own_user").booleanValue());
        assertTrue(isolated.get("own_network").booleanValue());
    }

    @Test
    void browser_inTheServersNetwork_isReportedAsSuch() {
        assertEquals("false", browser(true, false).get("own_network").asText());
        assertEquals("false", browser(false, true).get("sandbox").asText());
    }
}
