package touchline.api.session;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.OptionalLong;
import touchline.media.SessionId;
import touchline.packager.hls.LivePosition;
import touchline.packager.hls.LiveWindow;

/**
 * Times of running sessions, as {@link LiveControl} has them. Any thread.
 *
 * @param running changes while sessions start and end
 */
record SessionPositions(
        Map<SessionId, LiveSession> running, PlaybackResolver playback, InstantSource clock) {
    OptionalLong us(SessionId session) {
        LiveSession found = running.get(session);
        if (found == null) {
            return OptionalLong.empty();
        }
        Instant at = found.stoppedAt().orElseGet(clock::instant);
        return playback.window(session) instanceof LiveWindow window
                ? LivePosition.us(window, at)
                : OptionalLong.empty();
    }

    OptionalLong mediaStartUs(SessionId session) {
        return running.containsKey(session) && playback.window(session) instanceof LiveWindow window
                ? LivePosition.mediaStartUs(window)
                : OptionalLong.empty();
    }
}
