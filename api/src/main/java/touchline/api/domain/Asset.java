package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import touchline.media.SessionId;
import touchline.media.StreamId;

/**
 * A recording or a clip. It outlives its stream. Immutable.
 *
 * @param stream the recorded stream, which may be deleted; a clip has its source's
 * @param playbackIds its own, with the policies of the stream's, in their order
 * @param createdAt cut to milliseconds
 */
public record Asset(
        AssetId id,
        StreamId stream,
        AssetOrigin origin,
        AssetLabels labels,
        List<PlaybackId> playbackIds,
        AssetState state,
        Instant createdAt) {
    public Asset {
        playbackIds = List.copyOf(playbackIds);
        createdAt = createdAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** The recording of a session that starts now. */
    public static Asset recording(StreamDefinition stream, SessionId session, Instant at) {
        return recording(stream, new AssetOrigin.Recorded(session, /* fromStart= */ true), at);
    }

    /** Another recording of a session, which starts now, behind a gap. */
    public static Asset recordingAgain(StreamDefinition stream, SessionId session, Instant at) {
        return recording(stream, new AssetOrigin.Recorded(session, /* fromStart= */ false), at);
    }

    private static Asset recording(
            StreamDefinition stream, AssetOrigin.Recorded origin, Instant at) {
        return new Asset(
                AssetId.create(),
                stream.id(),
                origin,
                AssetLabels.of(stream.settings()),
                alike(stream.playbackIds()),
                AssetState.RECORDING,
                at);
    }

    /**
     * What another node has recorded of this asset's session behind its end.
     *
     * @throws IllegalStateException for a clip
     */
    public Asset rest(AssetId other, Instant at) {
        if (!(origin instanceof AssetOrigin.Recorded(var session, _))) {
            throw new IllegalStateException(id + " is no recording");
        }
        return new Asset(
                other,
                stream,
                new AssetOrigin.Recorded(session, /* fromStart= */ false),
                labels,
                alike(playbackIds),
                AssetState.RECORDING,
                at);
    }

    /** A clip of this asset that waits to be cut. */
    public Asset clip(long startUs, long endUs, Instant at) {
        AssetOrigin.Cut cut = new AssetOrigin.Cut(id, startUs, endUs);
        return clip(cut, alike(playbackIds), cut.durationUs(), at);
    }

    /**
     * A clip of several ranges that waits to be cut, with the labels of this asset, the first one's
     * source. Its ids are as this asset's, but none is public if a source has no public id.
     *
     * @param sources of all ranges
     */
    public Asset clip(AssetOrigin.Joined ranges, List<Asset> sources, Instant at) {
        boolean isOpen =
                sources.stream()
                        .allMatch(
                                source ->
                                        source.playbackIds.stream()
                                                .anyMatch(
                                                        id ->
                                                                id.policy()
                                                                        == PlaybackPolicy.PUBLIC));
        List<PlaybackId> ids =
                isOpen
                        ? alike(playbackIds)
                        : playbackIds.stream()
                                .map(_ -> PlaybackId.create(PlaybackPolicy.SIGNED))
                                .toList();
        return clip(ranges, ids, ranges.startUs(ranges.ranges().size()), at);
    }

    private Asset clip(AssetOrigin origin, List<PlaybackId> ids, long durationUs, Instant at) {
        return new Asset(
                AssetId.create(), stream, origin, labels, ids, AssetState.cutting(durationUs), at);
    }

    public Asset with(AssetState other) {
        return new Asset(id, stream, origin, labels, playbackIds, other, createdAt);
    }

    /** Whether a viewer can play it. */
    public boolean isPlayable() {
        return state.status() == AssetStatus.READY;
    }

    private static List<PlaybackId> alike(List<PlaybackId> others) {
        return others.stream().map(other -> PlaybackId.create(other.policy())).toList();
    }
}
