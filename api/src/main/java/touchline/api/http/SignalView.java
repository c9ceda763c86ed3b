package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.signal.SignalHistory;
import touchline.media.signal.SignalSample;

/** Samples of a signal as JSON: levels and times with one decimal. */
final class SignalView {
    private SignalView() {}

    /** The newest sample; null while there is none. */
    static JsonNode of(Optional<SignalHistory> history) {
        return history.flatMap(SignalHistory::newest)
                .<JsonNode>map(SignalView::of)
                .orElse(NullNode.instance);
    }

    /** A sample with its session. */
    static ObjectNode of(SessionId session, SignalSample sample) {
        return Json.object().put("session_id", session.value()).setAll(of(sample));
    }

    /** The same with its stream. */
    static ObjectNode of(StreamId stream, SessionId session, SignalSample sample) {
        return Json.object().put("live_stream_id", stream.value()).setAll(of(session, sample));
    }

    /** What there is without a session, or before its first sample. */
    static ObjectNode empty(Optional<SessionId> session) {
        ObjectNode json = Json.object();
        json.put("session_id", session.map(SessionId::value).orElse(null));
        json.putNull("at");
        show(json, List.of(), OptionalDouble.empty());
        return json.put("silent_s", 0.0).put("black_s", 0.0).put("frozen_s", 0.0);
    }

    static ObjectNode of(SignalSample sample) {
        ObjectNode json = Json.object();
        json.put("at", sample.at().getEpochSecond());
        show(json, sample.audio(), sample.loudnessLufs());
        return json.put("silent_s", rounded(sample.silentS()))
                .put("black_s", rounded(sample.blackS()))
                .put("frozen_s", rounded(sample.frozenS()));
    }

    private static void show(
            ObjectNode json, List<SignalSample.Level> audio, OptionalDouble loudness) {
        ArrayNode levels = json.putArray("audio");
        for (SignalSample.Level level : audio) {
            levels.addObject()
                    .put("peak_db", rounded(level.peakDb()))
                    .put("rms_db", rounded(level.rmsDb()));
        }
        if (loudness.isPresent()) {
            json.put("loudness_lufs", rounded(loudness.getAsDouble()));
        } else {
            json.putNull("loudness_lufs");
        }
    }

    private static double rounded(double value) {
        return Math.round(value * 10) / 10.0;
    }
}
