package touchline.api.http;

import io.helidon.http.Method;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import touchline.api.db.SessionRepository;
import touchline.api.db.StreamRepository;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Scope;
import touchline.api.domain.Session;
import touchline.api.domain.SessionReport;
import touchline.api.domain.StreamDefinition;
import touchline.api.session.LiveControl;
import touchline.api.view.MultitrackConfigView;
import touchline.media.StreamId;
import touchline.media.rendition.Ladder;

/**
 * The multitrack configuration of a stream, as OBS Studio takes it. It has the push key, and so it
 * needs the scope {@code live:write}. Any thread.
 */
final class MultitrackRoutes {
    private static final int WIDTH = 1920;
    private static final int HEIGHT = 1080;
    private static final double FRAME_RATE = 30;
    private static final int MIN_HEIGHT = 144;
    private static final int MAX_HEIGHT = 2160;
    private static final int MAX_FRAME_RATE = 120;
    private static final int UNKNOWN = 0;

    private final StreamRepository streams;
    private final SessionRepository sessions;
    private final LiveControl live;
    private final MultitrackConfigView view;

    MultitrackRoutes(
            StreamRepository streams, SessionRepository sessions, LiveControl live, URI rtmpUrl) {
        this.streams = streams;
        this.sessions = sessions;
        this.live = live;
        this.view = new MultitrackConfigView(rtmpUrl);
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(
                        Method.GET,
                        LiveStreamRoutes.STREAM + "/multitrack-config",
                        Scope.LIVE_WRITE,
                        this::find));
    }

    private ApiReply find(ApiRequest request) {
        StreamId id = LiveStreamRoutes.streamId(request);
        int height = request.number("height", MIN_HEIGHT, UNKNOWN, MAX_HEIGHT);
        int frameRate = request.number("frame_rate", 1, UNKNOWN, MAX_FRAME_RATE);
        Optional<MultitrackConfigView.Encoder> encoder =
                request.query("encoder").flatMap(text -> encoder(request, text));
        request.problems().throwIfAny();
        StreamDefinition stream = streams.find(id).orElseThrow(LiveStreamRoutes::noStream);
        return new ApiReply.DataBeside(
                view.of(
                        stream,
                        source(stream, height, frameRate),
                        encoder.orElse(MultitrackConfigView.Encoder.X264)));
    }

    private static Optional<MultitrackConfigView.Encoder> encoder(ApiRequest request, String text) {
        Optional<MultitrackConfigView.Encoder> known = MultitrackConfigView.Encoder.of(text);
        if (known.isEmpty()) {
            request.problems().invalid("encoder", "unknown value (expected: x264 or nvenc)");
        }
        return known;
    }

    /** As asked, or as the stream was sent last. */
    private Ladder.Source source(StreamDefinition stream, int height, int frameRate) {
        Optional<SessionReport> last =
                sessions.list(stream.id(), new PageRequest(1, 1)).items().stream()
                        .findFirst()
                        .map(this::report)
                        .filter(report -> report.width() > 0 && report.height() > 0);
        double rate =
                frameRate > 0
                        ? frameRate
                        : last.map(SessionReport::frameRate)
                                .filter(sent -> sent >= 1 && sent <= MAX_FRAME_RATE)
                                .orElse(FRAME_RATE);
        if (height > 0) {
            int width = Math.toIntExact(Math.round(height * (double) WIDTH / HEIGHT / 2) * 2);
            return new Ladder.Source(width, height - height % 2, rate);
        }
        return new Ladder.Source(
                last.map(SessionReport::width).orElse(WIDTH),
                last.map(SessionReport::height).orElse(HEIGHT),
                rate);
    }

    private SessionReport report(Session session) {
        return live.report(session.id()).orElse(session.report());
    }
}
