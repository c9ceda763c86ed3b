package touchline.api.audit;

import java.time.InstantSource;
import java.util.function.BiConsumer;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.Database;
import touchline.api.db.StreamRepository;
import touchline.api.domain.AuditSettings;
import touchline.api.events.StreamEvents;
import touchline.media.StreamId;
import touchline.moderation.Moderation;

/**
 * Dependencies of the moderation of every session; all shared, none owned.
 *
 * @param moderation the models
 * @param recorder stores their results
 * @param events records warnings
 * @param onRejected acts on a stream after a rejected frame; does not block, does not fail
 */
public record ModerationDependencies(
        Moderation moderation,
        ModerationRecorder recorder,
        Database database,
        AuditRunRepository runs,
        StreamRepository streams,
        StreamEvents events,
        BiConsumer<StreamId, AuditSettings.OnReject> onRejected,
        InstantSource clock) {}
