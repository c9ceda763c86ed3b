package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Optional;
import touchline.media.worker.WorkerIsolation;
import touchline.overlay.page.BrowserFacts;

/**
 * What the host of a server offers: the isolation of its child processes. Immutable.
 *
 * @param browser empty while no browser runs
 */
public record HostReport(WorkerIsolation workers, Optional<BrowserFacts> browser) {
    ObjectNode json() {
        ObjectNode json = Json.object();
        ObjectNode isolation = json.putObject("isolation");
        isolation
                .putObject("workers")
                .put("confinement", workers.sandbox().confinement().name().toLowerCase(Locale.ROOT))
                .put("isolated", workers.sandbox().isWall())
                .put("own_user", workers.sandbox().ownUser())
                .put("low_priority", workers.lowPriority())
                .put("memory_limit", workers.memoryLimit());
        browser.ifPresentOrElse(
                facts -> browser(isolation.putObject("browser"), facts),
                () -> isolation.putNull("browser"));
        return json;
    }

    private static void browser(ObjectNode json, BrowserFacts facts) {
        json.put("version", facts.version())
                .put("sandbox", facts.sandboxed())
                .put("own_user", facts.user().isPresent());
    }
}
