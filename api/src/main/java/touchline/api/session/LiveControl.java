package touchline.api.session;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import touchline.api.domain.SessionReport;
import touchline.api.domain.TrackStatus;
import touchline.api.programme.StandbyControl;
import touchline.api.signal.SignalControl;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;
import touchline.media.rendition.RenditionStatus;

/**
 * The control API's access to running sessions. Changes are called after the commit, and return
 * when they have taken effect for the next playback request. Any thread.
 */
public interface LiveControl {
    /** The main session that has started, is stored in the database, and has not ended. */
    Optional<LiveStream> active(StreamId stream);

    /** The streams that have such a session. */
    Set<StreamId> activeStreams();

    /** The measurements of a running session; empty once it has ended. */
    Optional<SessionReport> report(SessionId session);

    /**
     * Time of this moment in a running session, as in its recording: since its first frame, in
     * microseconds. It stands while the encoder is away. Empty before the first frame and once the
     * session has ended.
     */
    OptionalLong positionUs(SessionId session);

    /**
     * Media time of the first frame of a running session, as in its segments, in microseconds.
     * Empty before the first frame and once the session has ended.
     */
    OptionalLong mediaStartUs(SessionId session);

    /** The renditions of a running session, the largest first; empty once it has ended. */
    List<RenditionStatus> renditions(SessionId session);

    /** The watched signals of running sessions. */
    SignalControl signals();

    /** The encoders of running sessions. */
    SourceControl sources();

    /** What the encoder of a running session sends beside its first tracks; empty likewise. */
    List<TrackStatus> tracks(SessionId session);

    /** The number of {@link #activeStreams}. */
    default int activeCount() {
        return activeStreams().size();
    }

    /**
     * Cuts the encoders and ends the sessions. After COMPLETED and PUBLISHER_GONE media playlists
     * end with EXT-X-ENDLIST and stay for a while; after DISABLED and DELETED every request is
     * answered with 404 at once.
     */
    void end(StreamId stream, EndReason reason);

    /** A client is about to enable the stream. May wait for a disabling that is being stored. */
    void enabled(StreamId stream);

    /**
     * The stream key was replaced: cuts the encoder with the old key. The session waits for an
     * encoder with the new key.
     */
    void streamKeyReset(StreamId stream);

    /** The settings of a stream were changed: those that count at once are applied. */
    void settingsChanged(StreamId stream);

    /** Keeps the encoder of an active stream out, or lets it in again. */
    StandbyControl standby();

    /** Playback ids were added or deleted. */
    void playbackIdsChanged(StreamId stream);
}
