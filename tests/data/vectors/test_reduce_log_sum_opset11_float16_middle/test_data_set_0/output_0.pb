
BreducedJÖ?AA@>@°?X@v@/@\@M@Å?@w@Z?«@