package touchline.api.app;

import java.util.function.Supplier;
import touchline.api.asset.AssetService;
import touchline.api.certificate.Certificates;
import touchline.api.db.AssetRepository;
import touchline.api.db.Database;
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
import touchline.packager.thumbnail.Thumbnails;

/** Assembles the listeners of encoders and viewers; the caller starts and closes them. */
final class Listeners {
    private Listeners() {}

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
            Database database,
            AssetService assets,
            PlaybackResolver access,
            Supplier<LiveControl> sessions) {
        return new WatchAnswers(
                new WatchAnswers.Sources(
                        streams,
                        new AssetRepository(database, AssetView::of),
                        assets.playbackIds(),
                        sessions),
                access::check,
                () -> live.get().playback().pages(),
                () -> live.get().publicUrls().playbackUrl().toString());
    }

    /**
     * @param thumbnails closed with the server
     * @param pages to watch in a browser
     */
    static PlaybackServer playback(
            LiveConfig live,
            Certificates certificates,
            PlaybackResolver access,
            Thumbnails thumbnails,
            WatchPages pages) {
        return new PlaybackServer(
                live.section(ServerConfig::playback),
                new PlaybackServer.Sources(access, thumbnails, pages),
                new DeliveryCounters(),
                live.get().http().trustedProxies(),
                certificates.current());
    }
}
