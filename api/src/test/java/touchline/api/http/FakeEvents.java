package touchline.api.http;

import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import touchline.api.access.MasterKeys;
import touchline.api.access.SealedSecrets;
import touchline.api.access.SecretBox;
import touchline.api.db.Database;
import touchline.api.db.WebhookRepository;
import touchline.api.egress.EgressException;
import touchline.api.egress.EgressException.Kind;
import touchline.api.events.EventFeed;
import touchline.api.events.FakeTimer;
import touchline.api.events.StreamEvents;
import touchline.api.events.WebhookDispatch;

/** Events that are stored. No receiver can be reached. */
final class FakeEvents {
    private FakeEvents() {}

    /**
     * @param onLookup runs where the server would look up a name
     */
    static EventDependencies dependencies(
            Database database, Path dataDir, InstantSource clock, Runnable onLookup) {
        SecretBox box = new SecretBox(MasterKeys.load(Optional.empty(), dataDir));
        WebhookRepository endpoints =
                new WebhookRepository(database, SealedSecrets.ofWebhooks(box));
        WebhookDispatch dispatch =
                new WebhookDispatch(
                        database,
                        endpoints,
                        (_, _, _) -> {
                            throw new EgressException(Kind.UNREACHABLE, "connection refused");
                        },
                        new FakeTimer(),
                        clock);
        return new EventDependencies(
                endpoints,
                dispatch,
                new EventFeed(database.outbox()),
                new StreamEvents(database, URI.create("rtmp://push.test:1935/live")),
                url -> {
                    onLookup.run();
                    return url.startsWith("https://") && !url.contains("127.0.0.1")
                            ? Optional.empty()
                            : Optional.of("address refused");
                });
    }
}
