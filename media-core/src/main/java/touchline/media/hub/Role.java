package touchline.media.hub;

/** What a publication is to its stream: the programme, or the scoreboard pushed beside it. */
public enum Role {
    MAIN,
    OVERLAY
}
