package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.access.Credential;
import touchline.api.access.ScoreLinks;
import touchline.api.db.ScoreboardChangeRepository.Change;
import touchline.api.db.ScoreboardChangeRepository.Mark;
import touchline.api.domain.Image;
import touchline.api.domain.ImageFile;
import touchline.api.domain.PageRequest;
import touchline.api.domain.ScoreLink;
import touchline.api.domain.StreamDefinition;
import touchline.api.sport.Scoreboard;
import touchline.api.sport.Scoreboard.Look;
import touchline.api.sport.Scoreboard.Side;
import touchline.api.sport.ScoreboardAction;
import touchline.api.sport.ScoreboardActions;
import touchline.api.sport.Sport;
import touchline.media.SessionId;

/** Contract of scoreboards, their changes and their links on any database. */
abstract class ScoreRepositoryContract {
    private Instant now = Samples.NOW;
    private StreamDefinition stream;
    private ScoreboardRepository boards;
    private ScoreboardChangeRepository changes;
    private ScoreLinks links;

    abstract Database database();

    @BeforeEach
    void empty() {
        stream = Samples.stream();
        new StreamRepository(database(), Samples.vault()).create(stream);
        boards = new ScoreboardRepository(database());
        changes = new ScoreboardChangeRepository(database());
        links = new ScoreLinks(new ScoreLinkRepository(database()), () -> now);
    }

    private ScoreLinks.Minted link(Duration lasting) {
        ScoreLinks.Minted minted = links.mint(stream.id(), "Phone", now.plus(lasting));
        assertEquals(StreamRepository.Addition.ADDED, links.repository().create(minted.link()));
        return minted;
    }

    @Test
    void scoreboard_withoutSport_isFootballAsItWas() {
        database()
                .with(
                        handle ->
                                handle.createUpdate(
                                                "INSERT INTO scoreboards (stream_id, state)"
                                                        + " VALUES (:stream, :state)")
                                        .bind("stream", stream.id().value())
                                        .bind(
                                                "state",
                                                """
                                                {"visible":true,
                                                "home":{"name":"A","short_name":"A","color":"#112233","score":2},
                                                "away":{"name":"B","short_name":"B","color":"#112233","score":1},
                                                "clock":{"running":true,"elapsed_ms":60000,"at_ms":5},
                                                "period":"2nd half",
                                                "goal":{"team":"home","scorer":"9","at_ms":7}}
                                                """)
                                        .execute());

        Scoreboard board = boards.find(stream.id()).orElseThrow();
        assertEquals(Sport.FOOTBALL, board.sport());
        assertEquals(2, board.score().home());
        assertEquals(60_095, board.play().clock().shownMs(100));
        assertEquals("2nd half", board.play().period());
        assertEquals("9", board.score().goal().orElseThrow().scorer());
        boards.put(stream.id(), board);
        assertEquals(Optional.of(board), boards.find(stream.id()));
    }

    @Test
    void scoreboard_ofEachSport_isReadAsItWasStored() {
        List<ScoreboardAction> actions =
                List.of(
                        new ScoreboardAction.Clock(Optional.of(true), Optional.of(5_000L)),
                        new ScoreboardAction.BeginPeriod(2),
                        new ScoreboardAction.Score(Side.AWAY, 1, "9"),
                        new ScoreboardAction.Count(Side.HOME, "timeouts", 1),
                        new ScoreboardAction.Penalize("p", Side.HOME, 120_000, "7"),
                        new ScoreboardAction.Serve(Side.HOME));
        for (Sport sport : Sport.values()) {
            Scoreboard board = Scoreboard.of(sport, Scoreboard.DEFAULT.look(), 7);
            for (ScoreboardAction action : actions) {
                if (ScoreboardActions.problem(sport, action).isEmpty()) {
                    board = ScoreboardActions.apply(board, action, 1_000);
                }
            }
            boards.put(stream.id(), board);
            assertEquals(Optional.of(board), boards.find(stream.id()));
        }
    }

    @Test
    void image_ofAScoreboard_isKeptUntilItIsShownNoMore() {
        ImageRepository images = new ImageRepository(database());
        Image logo = Image.create(64, 64, now);
        images.create(logo, new ImageFile(new byte[] {7}));
        Look look = Scoreboard.DEFAULT.look();
        boards.put(
                stream.id(),
                Scoreboard.DEFAULT.with(
                        new Look(true, look.home(), look.away(), Optional.of(logo.id()))));

        assertEquals(7, boards.image(stream.id(), logo.id()).orElseThrow().bytes()[0]);
        assertEquals(ImageRepository.Deletion.IN_USE, images.delete(logo.id()));
        boards.put(stream.id(), Scoreboard.DEFAULT);
        assertTrue(boards.image(stream.id(), logo.id()).isEmpty());
        assertEquals(ImageRepository.Deletion.DELETED, images.delete(logo.id()));
    }

    @Test
    void changes_beyondTheKeptOnes_areForgotten() {
        Change change =
                new Change(
                        Scoreboard.DEFAULT,
                        Scoreboard.of(Sport.TENNIS, Scoreboard.DEFAULT.look(), 1),
                        Optional.of(new Mark(new SessionId("ses_1"), "mrk_1")));
        List<String> ids = new ArrayList<>();
        for (int i = 0; i <= ScoreboardChangeRepository.KEPT; i++) {
            ids.add(changes.add(stream.id(), change));
        }

        assertTrue(changes.find(stream.id(), ids.getFirst()).isEmpty());
        assertEquals(Optional.of(change), changes.find(stream.id(), ids.get(1)));
        assertTrue(changes.find(Samples.stream().id(), ids.get(1)).isEmpty());
        changes.delete(stream.id(), ids.get(1));
        assertTrue(changes.find(stream.id(), ids.get(1)).isEmpty());
    }

    @Test
    void link_isAcceptedByItsSecret_untilItExpires() {
        ScoreLinks.Minted minted = link(Duration.ofMinutes(1));
        Credential wrong = new Credential(minted.link().id(), "wrong");

        assertEquals(stream.id(), links.authenticate(minted.credential()).orElseThrow().stream());
        assertTrue(links.authenticate(wrong).isEmpty());
        assertTrue(links.authenticate(new Credential("scl_none", "x")).isEmpty());
        assertFalse(minted.link().secretHash().contains(minted.credential().secret()));
        assertFalse(minted.toString().contains(minted.credential().secret()));

        now = now.plusSeconds(59);
        assertTrue(links.authenticate(minted.credential()).isPresent());
        now = now.plusSeconds(1);
        assertTrue(links.authenticate(minted.credential()).isEmpty());
    }

    @Test
    void link_used_hasItsLastUse_exactToItsPrecision() {
        ScoreLinks.Minted minted = link(Duration.ofDays(1));
        assertEquals(Optional.empty(), lastUse());

        links.authenticate(minted.credential());
        Instant first = now;
        assertEquals(Optional.of(first), lastUse());
        now = now.plusMillis(ScoreLink.USE_PRECISION_MS - 1);
        links.authenticate(minted.credential());
        assertEquals(Optional.of(first), lastUse());
        now = now.plusMillis(1);
        links.authenticate(minted.credential());
        assertEquals(Optional.of(now), lastUse());
    }

    private Optional<Instant> lastUse() {
        return links.repository()
                .list(stream.id(), PageRequest.FIRST)
                .items()
                .getFirst()
                .lastUsedAt();
    }

    @Test
    void links_areListedNewestFirst_andGoWithTheirStream() {
        ScoreLinks.Minted first = link(Duration.ofDays(1));
        ScoreLinks.Minted second = link(Duration.ofDays(1));

        assertEquals(
                List.of(second.link(), first.link()),
                links.repository().list(stream.id(), PageRequest.FIRST).items());
        assertFalse(links.repository().delete(Samples.stream().id(), first.link().id()));
        assertTrue(links.repository().delete(stream.id(), first.link().id()));
        assertTrue(links.authenticate(first.credential()).isEmpty());

        new StreamRepository(database(), Samples.vault()).delete(stream.id());
        assertTrue(links.authenticate(second.credential()).isEmpty());
        assertEquals(
                StreamRepository.Addition.STREAM_NOT_FOUND,
                links.repository().create(first.link()));
    }

    @Test
    void links_beyondTheLimit_needOnesThatHaveExpired() {
        for (int i = 0; i < ScoreLink.MAX_PER_STREAM; i++) {
            link(Duration.ofMinutes(1));
        }
        assertEquals(
                StreamRepository.Addition.FULL,
                links.repository()
                        .create(links.mint(stream.id(), "x", now.plusSeconds(60)).link()));
        now = now.plusSeconds(60);
        link(Duration.ofMinutes(1));
        assertEquals(1, links.repository().list(stream.id(), PageRequest.FIRST).total());
    }
}
