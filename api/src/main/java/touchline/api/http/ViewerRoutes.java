package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import touchline.api.audience.ViewerHistory;
import touchline.api.db.StreamRepository;
import touchline.api.domain.Scope;
import touchline.media.StreamId;
import touchline.packager.audience.ViewerMinute;

/** {@code viewers} of one live stream and of all: now, and in steps of minutes. Any thread. */
final class ViewerRoutes {
    private static final int MINUTE = 60;
    private static final int WEEK = 7 * 24 * 60 * MINUTE;
    private static final int HOUR = 60 * MINUTE;

    /** Points of one reply. */
    static final int MAX_POINTS = 1_500;

    /** Points without a {@code step}. */
    private static final int USUAL_POINTS = 500;

    private static final int[] USUAL_STEPS = {
        MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR, WEEK
    };

    /** Streams of one reply: those with the most viewers. */
    private static final int MAX_STREAMS = 1_000;

    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,11}");

    private final StreamRepository streams;
    private final ViewerHistory history;
    private final InstantSource clock;

    ViewerRoutes(StreamRepository streams, ViewerHistory history, InstantSource clock) {
        this.streams = streams;
        this.history = history;
        this.clock = clock;
    }

    /**
     * Unix seconds.
     *
     * @param from a multiple of the step
     * @param to exclusive
     */
    private record Range(long from, long to, int step) {}

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(
                        Method.GET,
                        LiveStreamRoutes.STREAM + "/viewers",
                        Scope.LIVE_READ,
                        this::ofStream),
                ApiRoute.of(Method.GET, "/live/v1/viewers", Scope.LIVE_READ, this::ofAll));
    }

    private ApiReply ofStream(ApiRequest request) {
        StreamId id = LiveStreamRoutes.streamId(request);
        Range range = range(request);
        if (!streams.exists(id)) {
            throw LiveStreamRoutes.noStream();
        }
        return ApiReply.ok(shown(Optional.of(id), history.now(id), range));
    }

    private ApiReply ofAll(ApiRequest request) {
        ObjectNode json = shown(Optional.empty(), history.now(), range(request));
        ArrayNode all = json.putArray("streams");
        history.nowByStream().entrySet().stream()
                .sorted(
                        Map.Entry.<StreamId, Integer>comparingByValue(Comparator.reverseOrder())
                                .thenComparing(each -> each.getKey().value()))
                .limit(MAX_STREAMS)
                .forEach(
                        each ->
                                all.addObject()
                                        .put("live_stream_id", each.getKey().value())
                                        .put("viewers", each.getValue()));
        return ApiReply.ok(json);
    }

    /** Whole steps, up to the one that runs. */
    private Range range(ApiRequest request) {
        long now = clock.instant().getEpochSecond();
        OptionalLong givenFrom = seconds(request, "from");
        OptionalLong givenTo = seconds(request, "to");
        Optional<String> givenStep = request.query("step");
        int step = givenStep.map(text -> step(request, text)).orElse(0);
        request.problems().throwIfAny();
        long to = Math.min(givenTo.orElse(now), now);
        long from = givenFrom.orElse(to - HOUR);
        if (from >= to) {
            request.problems()
                    .invalid("from", "not before to, or in the future (expected: an earlier time)");
        } else if (step > 0 && points(from, to, step) > MAX_POINTS) {
            request.problems()
                    .invalid(
                            "step",
                            "too short for this time (expected: at most "
                                    + MAX_POINTS
                                    + " points, so at least "
                                    + leastStep(from, to)
                                    + ")");
        } else if (step == 0 && points(from, to, WEEK) > MAX_POINTS) {
            request.problems()
                    .invalid("from", "too early (expected: at most " + MAX_POINTS + " weeks)");
        }
        request.problems().throwIfAny();
        int chosen = step > 0 ? step : usualStep(from, to);
        return new Range(Math.floorDiv(from, chosen) * chosen, to, chosen);
    }

    private static long points(long from, long to, int step) {
        return Math.ceilDiv(to - Math.floorDiv(from, step) * step, (long) step);
    }

    private static long leastStep(long from, long to) {
        return Math.ceilDiv(to - from, (long) (MAX_POINTS - 1) * MINUTE) * MINUTE;
    }

    private static int usualStep(long from, long to) {
        for (int step : USUAL_STEPS) {
            if (points(from, to, step) <= USUAL_POINTS) {
                return step;
            }
        }
        return WEEK;
    }

    private static OptionalLong seconds(ApiRequest request, String name) {
        Optional<String> text = request.query(name);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        if (!SECONDS.matcher(text.get()).matches()) {
            request.problems().invalid(name, "not accepted (expected: Unix time in seconds)");
            return OptionalLong.empty();
        }
        return OptionalLong.of(Long.parseLong(text.get()));
    }

    private static int step(ApiRequest request, String text) {
        if (SECONDS.matcher(text).matches()) {
            long step = Long.parseLong(text);
            if (step >= MINUTE && step <= WEEK && step % MINUTE == 0) {
                return (int) step;
            }
        }
        request.problems()
                .invalid(
                        "step",
                        "not accepted (expected: a multiple of 60, 60 to " + WEEK + " seconds)");
        return 0;
    }

    private ObjectNode shown(Optional<StreamId> stream, int now, Range range) {
        List<ViewerMinute> steps =
                history.steps(
                        stream,
                        Instant.ofEpochSecond(range.from()),
                        Instant.ofEpochSecond(Math.ceilDiv(range.to(), MINUTE) * MINUTE),
                        Duration.ofSeconds(range.step()));
        ObjectNode json = Json.object();
        json.put("now", now);
        json.put("peak", peak(steps, now, range));
        json.put("step", range.step());
        ArrayNode points = json.putArray("points");
        int next = 0;
        for (long at = range.from(); at < range.to(); at += range.step()) {
            boolean watched = next < steps.size() && steps.get(next).start().getEpochSecond() == at;
            points.add(watched ? point(steps.get(next++)) : empty(at));
        }
        return json;
    }

    /** The minute that runs learns once a second how many there are now. */
    private int peak(List<ViewerMinute> steps, int now, Range range) {
        long second = clock.instant().getEpochSecond();
        boolean current = range.from() <= second && second <= range.to();
        return Math.max(
                current ? now : 0, steps.stream().mapToInt(ViewerMinute::viewers).max().orElse(0));
    }

    private static ObjectNode point(ViewerMinute step) {
        ObjectNode json = Json.object();
        json.put("at", step.start().getEpochSecond());
        json.put("viewers", step.viewers());
        if (step.rebufferingRatio().isPresent()) {
            json.put(
                    "rebuffering_ratio",
                    Math.round(step.rebufferingRatio().getAsDouble() * 1e4) / 1e4);
        } else {
            json.putNull("rebuffering_ratio");
        }
        if (step.startupMs().isPresent()) {
            json.put("startup_ms_p50", step.startupMs().getAsInt());
        } else {
            json.putNull("startup_ms_p50");
        }
        if (step.bitrateKbps().isPresent()) {
            json.put("bitrate_p50", step.bitrateKbps().getAsInt() * 1_000L);
        } else {
            json.putNull("bitrate_p50");
        }
        return json;
    }

    private static ObjectNode empty(long at) {
        ObjectNode json = Json.object();
        json.put("at", at).put("viewers", 0);
        json.putNull("rebuffering_ratio");
        json.putNull("startup_ms_p50");
        json.putNull("bitrate_p50");
        return json;
    }
}
