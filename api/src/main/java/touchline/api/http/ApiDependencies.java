package touchline.api.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.function.Supplier;
import touchline.api.access.AccessTokens;
import touchline.api.access.SigningKeys;
import touchline.api.asset.AssetService;
import touchline.api.asset.ClipJobs;
import touchline.api.audience.ViewerHistory;
import touchline.api.backup.Backups;
import touchline.api.certificate.Certificates;
import touchline.api.db.Database;
import touchline.api.db.StreamRepository;
import touchline.api.programme.StandbyImages;
import touchline.api.restream.Restreams;
import touchline.api.scoreboard.OverlayControl;
import touchline.api.scoreboard.Scoreboards;
import touchline.api.session.LiveControl;
import touchline.api.trace.Tracing;

/**
 * All borrowed: the API closes none of them.
 *
 * @param streams stream definitions with their keys
 * @param viewers of live streams
 * @param restreams other servers that streams are sent on to
 * @param scoreboards contents of the bundled scoreboard pages
 * @param assets recordings and clips
 * @param clips cuts clips
 * @param events webhook endpoints and their events
 * @param encoding transcoding to clients' storages
 * @param moderation models, evidence, and the moderation of running sessions
 * @param images of slates
 * @param backups of this server
 * @param urlRules addresses that this server may fetch for clients
 * @param readiness whether the server may be sent work
 * @param host what this host offers; may block
 * @param operator limits in force, and reading the configuration again
 * @param nodes of the cluster
 * @param certificates what TLS shows, and its state
 * @param registry of the metrics
 * @param tracing of the requests
 */
public record ApiDependencies(
        Database database,
        StreamRepository streams,
        AccessTokens tokens,
        SigningKeys signingKeys,
        LiveControl live,
        OverlayControl overlays,
        ViewerHistory viewers,
        Restreams restreams,
        Scoreboards scoreboards,
        AssetService assets,
        ClipJobs clips,
        EventDependencies events,
        EncodingDependencies encoding,
        ModerationApiDependencies moderation,
        StandbyImages images,
        Backups backups,
        UrlRules urlRules,
        Function<HealthReport.Use, HealthReport> readiness,
        Supplier<HostReport> host,
        OperatorDependencies operator,
        ClusterNodes nodes,
        Certificates certificates,
        PrometheusMeterRegistry registry,
        Tracing tracing,
        InstantSource clock) {}
