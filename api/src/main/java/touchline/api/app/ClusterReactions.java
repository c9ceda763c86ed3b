package touchline.api.app;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import touchline.api.access.SigningKeys;
import touchline.api.asset.AssetService;
import touchline.api.cluster.ChangeFeed;
import touchline.api.cluster.WakeUp;
import touchline.api.db.ClusterChanges.Kind;
import touchline.api.db.StreamRepository;
import touchline.api.domain.AssetId;
import touchline.api.domain.StreamDefinition;
import touchline.api.jobs.Jobs;
import touchline.api.session.SessionSupervisor;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;

/**
 * What a node does when another one has changed something: the same as after a request of its own.
 * Borrowed; the cluster's thread calls it.
 */
record ClusterReactions(
        SessionSupervisor sessions,
        StreamRepository streams,
        SigningKeys signingKeys,
        AssetService assets,
        EventSending events,
        Jobs jobs) {
    void follow(ChangeFeed feed) {
        // First: what is admitted from now on is looked up again.
        for (Kind kind : List.of(Kind.STREAM, Kind.STREAM_KEY, Kind.BACKUP_KEY, Kind.COMPLETED)) {
            feed.follow(kind, id -> streams.admitted().changed(new StreamId(id)));
        }
        feed.followGaps(streams.admitted()::clear);
        feed.follow(Kind.STREAM, id -> streamChanged(new StreamId(id)));
        feed.follow(Kind.STREAM_KEY, id -> sessions.streamKeyReset(new StreamId(id)));
        feed.follow(Kind.BACKUP_KEY, id -> sessions.sources().backupKeyReset(new StreamId(id)));
        feed.follow(Kind.COMPLETED, id -> sessions.end(new StreamId(id), EndReason.COMPLETED));
        feed.follow(Kind.SIGNING_KEY, signingKeys::refresh);
        feed.follow(Kind.ENDPOINT, events.dispatch()::changed);
        feed.follow(Kind.ASSET, id -> assets.changedElsewhere(new AssetId(id)));
    }

    /** Work waits that another node has stored. */
    void woken(Set<WakeUp> work) {
        if (work.contains(WakeUp.DELIVERIES)) {
            events.dispatch().poll();
        }
        if (work.contains(WakeUp.JOBS)) {
            jobs.poll();
        }
    }

    private void streamChanged(StreamId id) {
        Optional<StreamDefinition> stream = streams.find(id);
        if (stream.isEmpty()) {
            sessions.end(id, EndReason.DELETED);
        } else if (stream.get().disabled()) {
            sessions.end(id, EndReason.DISABLED);
        } else {
            sessions.enabled(id);
            sessions.sources().changed(id, stream.get().backup());
            sessions.signals().changed(id);
            sessions.settingsChanged(id);
            sessions.playbackIdsChanged(id);
            sessions.auditChanged(id);
        }
    }
}
