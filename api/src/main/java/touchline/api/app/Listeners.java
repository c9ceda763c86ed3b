package touchline.api.app;

import java.nio.file.Path;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.AssetService;
import touchline.api.certificate.Certificates;
import touchline.api.db.AssetRepository;
import touchline.api.db.ClusterStreams;
import touchline.api.db.StreamRepository;
import touchline.api.session.LiveControl;
import touchline.api.session.PlaybackResolver;
import touchline.api.session.SessionSupervisor;
import touchline.api.view.AssetView;
import touchline.api.watch.WatchAnswers;
import touchline.config.LiveConfig;
import touchline.config.ServerConfig;
import touchline.ingest.rtmp.RtmpServer;
import touchline.media.net.SharedAddresses;
import touchline.packager.delivery.DeliveryCounters;
import touchline.packager.delivery.PlaybackServer;
import touchline.packager.delivery.WatchPages;

/** Assembles the listeners of encoders and viewers; the caller starts and closes them. */
final class Listeners {
    private static final Logger log = LoggerFactory.getLogger(Listeners.class);

    private Listeners() {}

    /** Logs where the server is reached. */
    static void announce(ServerConfig config, Path secretFile) {
        if (config.auth().adminSecret().isEmpty()) {
            log.info("the secret of token admin is in {}", secretFile);
        }
        log.info(
                "serving: console and API {}, playback {}, push {}",
                config.publicUrls().apiUrl(),
                config.publicUrls().playbackUrl(),
                config.publicUrls().rtmpUrl());
    }

    static RtmpServer rtmp(LiveConfig live, Certificates certificates, SessionSupervisor sessions) {
        ServerConfig config = live.get();
        return new RtmpServer(
                live.section(ServerConfig::rtmp),
                config.tls().rtmpsPort(),
                certificates.current(),
                sessions.gate(),
                sessions.live(),
                new SharedAddresses(config.http().trustedProxies()));
    }

    /** The pages to watch, with the addresses that clients are given. */
    static WatchPages pages(
            LiveConfig live,
            StreamRepository streams,
            AssetService assets,
            PlaybackResolver access,
            ServerCluster cluster,
            Supplier<LiveControl> sessions) {
        return new WatchAnswers(
                new WatchAnswers.Sources(
                        streams,
                        new AssetRepository(cluster.database(), AssetView::of),
                        assets.playbackIds(),
                        sessions,
                        cluster.ids(),
                        new ClusterStreams(cluster.database())::unended),
                access::check,
                () -> live.get().playback().pages(),
                () -> live.get().publicUrls().playbackUrl().toString());
    }

    static PlaybackServer playback(
            LiveConfig live, Certificates certificates, PlaybackServer.Sources sources) {
        return new PlaybackServer(
                live.section(ServerConfig::playback),
                sources,
                new DeliveryCounters(),
                live.get().http().trustedProxies(),
                certificates.current());
    }
}
